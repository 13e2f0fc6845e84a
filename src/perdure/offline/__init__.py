"""The engine without a language model: candidates and decisions by rules."""
