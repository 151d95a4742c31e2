"""Passes over branches: what stands beside them, in their arms, and on one test."""
