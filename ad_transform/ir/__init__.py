"""The one intermediate representation: types, nodes, law, builder, text, evaluator."""
