"""Passes over loops: what trips share, carry and record."""
