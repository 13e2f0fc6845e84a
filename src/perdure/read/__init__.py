"""The read pipeline: a query becomes hits, a context, an answer."""
