"""CPU time and ratios of what perdure does, as JSON with machine and commit."""
