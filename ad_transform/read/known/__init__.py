"""Arrays whose elements are known one by one, and numpy's functions of them."""
