"""Derivatives of functions that a program calls."""
