"""Statements and expressions become postfix code, once for each function."""
