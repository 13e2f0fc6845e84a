"""Contract suites for authors of stores, models and embedders."""
