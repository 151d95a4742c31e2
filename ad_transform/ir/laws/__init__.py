"""The laws of `ir.simplify`, by the operation that they simplify."""
