"""Contract suites for authors of stores, models and embedders.

They are plain pytest classes: subclass one, override its fixture, and pytest runs every rule of the port.
"""

from perdure.testing.store import StoreContract

__all__ = ["StoreContract"]
