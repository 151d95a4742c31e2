"""Printing: a derived function becomes text that a person could have written."""
