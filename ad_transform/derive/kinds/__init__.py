"""The kinds: first and second derivatives, matrices, and the forms they take."""
