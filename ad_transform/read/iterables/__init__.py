"""Comprehensions, generators and `itertools`: sources of items, one by one."""
