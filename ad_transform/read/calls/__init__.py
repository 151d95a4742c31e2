"""Calls: arguments, functions that are run in place, outside, or by a rule."""
