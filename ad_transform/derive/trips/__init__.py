"""Loops forth and back: fused, left early, written out."""
