"""Where memories are kept: one port, several backends."""
