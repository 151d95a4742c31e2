"""Marks and annotations: their grammar, where they stand, and what they say."""
