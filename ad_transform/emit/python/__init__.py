"""How a schedule is written in Python, in the layout of black."""
