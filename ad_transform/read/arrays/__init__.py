"""Arrays and lists of run-time length: elements, slices and views, read and written."""
