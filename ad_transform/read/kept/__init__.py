"""Functions that stay functions: which, their bodies, what they take and give back."""
