"""Blocks of statements: copied, searched, reordered, and freed of what nobody needs."""
