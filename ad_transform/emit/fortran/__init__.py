"""A schedule as text in Fortran 2008."""
