"""How a schedule is written in Fortran 2008."""
