"""Passes over sums and products: signs, multiples and common factors."""
