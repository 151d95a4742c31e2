"""Texts: their methods, f-strings, and `print`."""
