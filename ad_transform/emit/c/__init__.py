"""How a schedule is written in C99."""
