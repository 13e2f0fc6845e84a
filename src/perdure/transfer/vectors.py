"""The vectors of an import: the export's own where the embedders agree, made anew where they do not."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from perdure.models import Scope
from perdure.ports import Embedder, Store
from perdure.text import spoken, triple_text, with_pictures
from perdure.transfer.files import Line

if TYPE_CHECKING:
    from perdure.models import FloatArray

    Embed = Callable[[Sequence[str]], Sequence[FloatArray | None]]


def fitted(lines: Sequence[Line], store: Store, tenant: str, *, embedder: Embedder | None, embed: Embed) -> list[Line]:
    """Return the lines with vectors of `embedder`, None where it has none for a text; the first line names it.

    Without an embedder those of the store's own are kept, and a store that is bound to none is bound to the export's.
    Cost: one embedding per missing vector.
    """
    head = lines[0] if lines else {}
    model, dimensions = head.get("embedder"), head.get("dimensions")
    held = store.stats(Scope(tenant))
    if held.embedder is None and isinstance(model, str) and isinstance(dimensions, int):
        store.claim_embedder(model, dimensions)
        held = store.stats(Scope(tenant))
    own = (held.embedder, held.dimensions) if embedder is None else (embedder.model, embedder.dimensions)
    found = [dict(line) if (model, dimensions) == own else {**line, "vector": None} for line in lines]
    if found:
        found[0] = {**head, "embedder": own[0], "dimensions": own[1]}
    missing = [(line, text) for line in found if line.get("vector") is None and (text := searched(line)) is not None]
    vectors = embed([text for _, text in missing])
    for (line, _), vector in zip(missing, vectors, strict=True):
        line["vector"] = None if vector is None else encoded(vector)
    return found


def searched(line: Mapping[str, Any]) -> str | None:
    """Return the text that a row is embedded by; None if the line is no row of that kind."""
    if line.get("type") == "entity":
        return str(line.get("name"))
    if line.get("type") == "claim":
        return triple_text(*(str(line.get(name)) for name in ("source_name", "label", "destination_name")))
    if line.get("type") == "memory":
        return str(line.get("text"))
    if line.get("type") == "message":
        said = with_pictures(str(line.get("content")), line.get("metadata") or {})
        return spoken(str(line.get("name") or line.get("role")), said)
    return None


def encoded(vector: FloatArray) -> str:
    """Return a vector, shape (d,), as a line holds it: base64 of float16, little endian."""
    return base64.b64encode(vector.astype("<f2").tobytes()).decode("ascii")
