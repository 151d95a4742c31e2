"""Branches, conditional expressions and `try`; values that differ behind two arms."""
