"""Lists that grow, deques and sets: searched, sorted, taken from."""
