"""One straight run: its graph, its labels, its candidates, and the cheapest code."""
