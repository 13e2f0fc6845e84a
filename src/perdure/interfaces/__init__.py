"""Surfaces: thin, one folder each."""
