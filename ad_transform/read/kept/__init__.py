"""Functions that stay functions: their choice, bodies, arguments and results."""
