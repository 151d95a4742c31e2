"""Values that constants and parameters alone decide are computed once."""
