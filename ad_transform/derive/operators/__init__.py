"""Derivative operators inside expressions."""
