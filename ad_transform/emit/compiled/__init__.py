"""Parts that compiled targets share: expressions, interfaces, refusals."""
