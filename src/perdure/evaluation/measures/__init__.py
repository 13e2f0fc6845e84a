"""Measures: one file each, with formula, source and a hand-worked example."""
