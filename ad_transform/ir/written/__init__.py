"""Programs written out: over the elements of their arrays, trip by trip."""
