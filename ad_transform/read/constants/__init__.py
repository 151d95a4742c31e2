"""Constants of modules: their values, and their definitions in the output."""
