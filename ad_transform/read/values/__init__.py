"""Values without numbers: what an expression can be while a function is flattened."""
