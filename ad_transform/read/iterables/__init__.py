"""Comprehensions, generators and `itertools`: what gives items one by one."""
