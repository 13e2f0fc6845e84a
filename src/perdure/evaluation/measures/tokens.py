"""Real cl100k token counts, from a package; the estimator of `perdure.text` never stands in for them."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from perdure.errors import SettingsError


def cl100k() -> Callable[[str], int]:
    """Return a function that counts the cl100k_base tokens of a text.

    The encoding of gpt-3.5 and gpt-4; the Mem0 paper counts by it.  A marker such as <|endoftext|> counts as text.
    Raises SettingsError where the extra `evaluation` is not installed.

    >>> cl100k()("Ana lives in Lyon.")
    5
    """
    try:
        with warnings.catch_warnings():  # it reads its table in a way that Python 3.11 finds old
            warnings.simplefilter("ignore", DeprecationWarning)
            import bpe_openai
    except ImportError as err:
        raise SettingsError(
            "counting tokens needs bpe-openai, which is not installed; pip install 'perdure[evaluation]'"
        ) from err
    encoding = bpe_openai.get_encoding("cl100k_base")
    return lambda text: len(encoding.encode(text, disallowed_special=()))
