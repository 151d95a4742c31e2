"""Texts of functions that `math` lacks, by family; `helpers` brings them together."""
