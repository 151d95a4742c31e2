"""Vector c-graphs: Jacobians of whole arrays by elimination (Naumann 1999, 2.5)."""
