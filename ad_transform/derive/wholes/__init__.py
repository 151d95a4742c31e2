"""Whole arrays in derived programs, as numpy has them."""
