"""Models, clocks and doubles behind the ports."""
