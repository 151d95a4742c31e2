"""Lists of keys as Python's own dicts and sets, where they are looked for in them."""
