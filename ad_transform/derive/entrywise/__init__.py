"""Jacobians of loops over elements by their entries, appended as the loops run."""
