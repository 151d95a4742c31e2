"""What a function is given and returns: signatures, shapes, structures."""
