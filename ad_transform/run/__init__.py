"""Around the pure transformation: configuration, files, checks, reports."""
