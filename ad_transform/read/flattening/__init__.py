"""The flattener: the meaning of each instruction, and the program that comes of it."""
