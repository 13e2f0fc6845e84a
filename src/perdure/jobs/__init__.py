"""Durable work beside the caller's path."""
