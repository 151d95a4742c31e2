"""Arrays of three axes as whole arrays."""
