"""The graph that memories tell of: how names and labels are normalised, and how claims fold into dated relations.

A memory *claims*: "Ana lives in Lyon", said then, holding since.  Claims are never changed.  What holds, and when it
ended, is worked out here from all that is claimed; so what takes a memory back takes back its part in that too.
"""
