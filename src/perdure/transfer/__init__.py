"""Files that memories travel in: perdure's own export, and what Mem0 leaves."""
