"""What targets share that are compiled: expressions, interfaces, what is refused."""
