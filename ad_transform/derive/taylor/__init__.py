"""Taylor coefficients: a sweep forth with as many coefficients as the degree says."""
