"""Lists of rows, of lists and of arrays, that grow and are written where they stand."""
