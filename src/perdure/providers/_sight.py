"""Which models can be shown pictures, and the form in which Anthropic takes one."""

from __future__ import annotations

import re
from typing import Any

from perdure.models import Json

# Families by their makers' documentation; another model is said by the setting `llm_sees`.
_SEEING = re.compile(
    r"gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|\bo[34]\b|\bo4-mini|gemini|claude|llava|pixtral|vision|[-.\d]vl\b|gemma-?3"
)
_DATA = re.compile(r"data:(image/[a-z0-9.+-]+);base64,", re.IGNORECASE)


def sees(model: str, said: bool | None) -> bool:
    """Return whether pictures can be shown to a model: as was said, else by its name.

    >>> sees("gpt-4o-mini", None), sees("qwen2.5:7b", None), sees("own", True)
    (True, False, True)
    """
    return _SEEING.search(model.lower()) is not None if said is None else said


def block(image: Json) -> dict[str, Any]:
    """Return a picture, given as in chat completions, as a block of Anthropic's messages."""
    url = str(image["image_url"]["url"])
    data = _DATA.match(url)
    if data is None:
        return {"type": "image", "source": {"type": "url", "url": url}}
    source = {"type": "base64", "media_type": data[1].lower(), "data": re.sub(r"\s", "", url[data.end() :])}
    return {"type": "image", "source": source}
