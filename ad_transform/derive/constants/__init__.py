"""What constants and parameters alone decide is computed once."""
