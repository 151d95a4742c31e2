"""Tuples, lists and dicts whose items are known one by one; dicts with any keys."""
