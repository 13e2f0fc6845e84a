"""A process of its own that prints the points of an embedded Qdrant store, one JSON object a line.

python -m perdure.transfer.qdrant FOLDER COLLECTION;  exit code 3: qdrant-client is not installed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

_PAGE = 500  # points that are read at once (chosen)


def main(arguments: Sequence[str]) -> int:
    """Print the collection's points."""
    path, name = arguments
    try:
        from qdrant_client import QdrantClient
    except ImportError:
        return 3
    client = QdrantClient(path=path)
    known = sorted(collection.name for collection in client.get_collections().collections)
    if name not in known:
        sys.stderr.write(f"there is no collection {name!r}; there are {', '.join(known) or 'none'}\n")
        return 1
    offset = None
    while True:
        points, offset = client.scroll(name, limit=_PAGE, offset=offset, with_payload=True, with_vectors=False)
        for point in points:
            sys.stdout.write(json.dumps({**(point.payload or {}), "id": str(point.id)}, default=str) + "\n")
        if offset is None:
            return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
