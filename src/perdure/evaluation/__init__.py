"""Datasets, measures and runs that say what perdure is worth."""
