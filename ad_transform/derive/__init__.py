"""Derivations: from a function to a function, so that kinds compose."""
