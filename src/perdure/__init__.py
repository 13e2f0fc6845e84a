"""perdure: long-term memory for LLM agents.

>>> from perdure import Memory
>>> with Memory(":memory:", embedder="none") as memory:
...     _ = memory.add("I'm vegetarian.", user="ana")
...     memory.search("vegetarian", user="ana")[0].text
'ana: I'm vegetarian.'
"""
