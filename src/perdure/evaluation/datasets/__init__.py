"""The sets that perdure is measured on; their files are never shipped."""
