"""The spaces of a store's vectors: one, or several while it is re-embedded.  Vectors of two spaces never meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from perdure.errors import SettingsError
from perdure.models import Probe
from perdure.stores._rules import check_vector

if TYPE_CHECKING:
    import numpy as np

    from perdure.models import FloatArray

    Cosine = TypeVar("Cosine", float, FloatArray, np.float32)

NOWHERE = 0  # the space of a row without a vector
DECIMALS = 6  # of a cosine that are told apart: float32 has seven, and equal vectors must tie in every store


@dataclass(frozen=True, slots=True)
class Space:
    """An embedder whose vectors the store holds."""

    no: int
    model: str
    dimensions: int
    is_current: bool = True


@dataclass(frozen=True, slots=True)
class Look:
    """A probe's vector in one space; cosines c count as 1 − scale·(1 − c)."""

    space: int
    vector: FloatArray
    scale: float = 1.0

    def scaled(self, cosine: Cosine) -> Cosine:
        """Return cosines on the scale of the current space."""
        return cosine if self.scale == 1.0 else 1.0 - self.scale * (1.0 - cosine)


def place(spaces: Sequence[Space], vector: FloatArray, model: str | None) -> Space:
    """Return the space that a vector of this model (None: the current one's) belongs to.

    Raises SettingsError where there is none (any more), InputError on a vector of another length.
    """
    for space in spaces:
        if space.is_current if model is None else space.model == model:
            check_vector(vector, space.dimensions)
            return space
    if model is None or not spaces:
        check_vector(vector, None)
    raise SettingsError(
        f"the store was re-embedded by {spaces[0].model} and holds no vectors of {model} any more; open it again with "
        "that embedder"
    )


def looks(probe: Probe, spaces: Sequence[Space]) -> list[Look]:
    """Return what a probe can be compared with; older spaces that are gone by now are left out."""
    if probe.vector is None or not spaces:
        return []
    held = {space.model for space in spaces}
    older = [one for one in probe.older if one.space in held]
    return [
        Look(place(spaces, probe.vector, probe.space).no, probe.vector),
        *(Look(place(spaces, one.vector, one.space).no, one.vector, one.scale) for one in older),
    ]
