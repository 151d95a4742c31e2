"""Passes over lists and their elements: read, stored, added to, copied."""
