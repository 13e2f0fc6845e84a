"""Rerankers: an endpoint with Cohere's form (Cohere, Jina, Voyage, vLLM, llama.cpp), and a language model.

Both read the question and each text together, as a cross-encoder does, and both cost a call per search.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perdure.errors import BadCompletion, ProviderError, SettingsError
from perdure.models import Completion, Tool
from perdure.ports import LLM, Clock
from perdure.prompts import load
from perdure.prompts.lenient import values
from perdure.prompts.recalled import quote
from perdure.prompts.thoughts import without_thoughts
from perdure.providers._http import Endpoint

BATCH = 100  # texts of one request; chosen: servers take from 96 to 1,000
MAX_CHARS = 6_000  # of each text that is sent; chosen: about what the longest of these models read
MAX_TOKENS = 1_024  # of a model's reply; chosen: a hundred numbers
LARGEST = 1e300  # of a score: what is beyond it, or no number, is none; chosen
READ = 50  # texts that a language model is asked about; the others stay behind them; chosen


@dataclass(frozen=True, slots=True)
class Vendor:
    """Where a vendor's endpoint is, and the variable that holds its key."""

    base_url: str | None
    key_name: str


VENDORS: Mapping[str, Vendor] = {
    "cohere": Vendor("https://api.cohere.com/v2", "COHERE_API_KEY"),
    "jina": Vendor("https://api.jina.ai/v1", "JINA_API_KEY"),
    "voyage": Vendor("https://api.voyageai.com/v1", "VOYAGE_API_KEY"),
    "endpoint": Vendor(None, "RERANKER_API_KEY"),  # vLLM, llama.cpp, Infinity: reranker_base_url says where
}


class EndpointReranker:
    """A reranker behind `POST {base_url}/rerank`; implements `Reranker`.

    It sends {model, query, documents} and reads `results` (or Voyage's `data`): an index and a relevance_score each.
    May be shared by threads, and used on after a fork.
    Raises SettingsError where there is no address, or the vendor's own address has no key.
    """

    def __init__(
        self,
        model: str,
        *,
        vendor: str = "endpoint",
        api_key: str | None = None,
        base_url: str | None = None,
        timeout_s: float = 60.0,
        retries: int = 4,
        connections: int = 4,
        transport: Any = None,  # an httpx2 transport, for a proxy or own certificates
        sleep: Callable[[float], None] = time.sleep,
        clock: Clock | None = None,
    ) -> None:
        if not model.strip():
            raise SettingsError('the reranker has no name; expected one such as "rerank-v3.5"')
        known = VENDORS[vendor]
        key = (api_key or os.environ.get(known.key_name) or "").strip()
        if base_url is None and known.base_url is None:
            raise SettingsError(
                f'the reranker "{vendor}:{model}" has no address; set reranker_base_url to the root that '
                "holds /rerank, such as http://localhost:8080/v1"
            )
        if base_url is None and not key:
            raise SettingsError(f"{vendor} needs a key, and none is set; set {known.key_name}, or reranker_base_url")
        self.model = model
        self._endpoint = Endpoint(
            base_url or known.base_url or "",
            model=model,
            key=key or None,
            key_name=known.key_name,
            timeout_s=timeout_s,
            retries=retries,
            connections=connections,
            transport=transport,
            sleep=sleep,
            clock=clock,
        )

    def __repr__(self) -> str:
        return f"EndpointReranker({self.model!r}, host={self._endpoint.host!r})"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the endpoint's relevance of each text, in order; only the first 6,000 characters of a text are read.

        Raises ProviderTimeout, RateLimited, ProviderError.  Cost: a request per 100 texts.
        """
        found: list[float] = []
        for begin in range(0, len(texts), BATCH):
            batch = [_sent(text) for text in texts[begin : begin + BATCH]]
            body = {"model": self.model, "query": _sent(query), "documents": batch}
            found += self._scores(self._endpoint.post("/rerank", body), len(batch))
        return found

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        self._endpoint.close()

    def _scores(self, reply: Mapping[str, Any], count: int) -> list[float]:
        """Return a reply's scores by index.  Raises ProviderError unless each text has exactly one."""
        rows = reply.get("results", reply.get("data"))
        found: dict[int, float] = {}
        for row in rows if isinstance(rows, list) else ():
            index = row.get("index") if isinstance(row, dict) else None
            score = row.get("relevance_score", row.get("score")) if isinstance(row, dict) else None
            is_number = isinstance(score, int | float) and not isinstance(score, bool) and abs(score) <= LARGEST
            if is_number and isinstance(index, int) and index not in found:
                found[index] = float(score or 0.0)
        if not isinstance(rows, list) or len(rows) != count or sorted(found) != list(range(count)):
            raise ProviderError(f"{self!r} did not give one score for each of {count} texts; check that it reranks")
        return [found[index] for index in range(count)]


def _sent(text: str) -> str:
    return text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8").replace("\x00", " ")


TOOL = Tool(
    "rank",
    "Give the numbers of the entries that help to answer the question, the most helpful first.",
    {
        "type": "object",
        "properties": {"numbers": {"type": "array", "items": {"type": "integer"}}},
        "required": ["numbers"],
        "additionalProperties": False,
    },
)


class ModelReranker:
    """A language model that is shown the best texts and names those that help, best first; implements `Reranker`.

    prompts: a folder whose `rerank.md` replaces the shipped prompt.
    """

    def __init__(self, llm: LLM, *, prompts: str | None = None) -> None:
        self._llm = llm
        self._prompts = prompts

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return 1 down to 0 by the model's order; what it does not name stays in the order given, behind what it does.

        Raises ProviderError kinds; BadCompletion where the reply names no entry.  Cost: one call, on 50 texts at most.
        """
        shown = texts[:READ]
        entries = "\n".join(f"[{number}] {_quoted(text)}" for number, text in enumerate(shown, start=1))
        template = load("rerank", self._prompts)
        prompt = template.fill(tools=(TOOL,), max_tokens=MAX_TOKENS, question=_quoted(query), entries=entries)
        [completion] = self._llm.complete([prompt])
        named = _numbers(completion, len(shown))
        order = [*named, *(place for place in range(len(texts)) if place not in set(named))]
        return [1.0 - order.index(place) / len(order) for place in range(len(texts))]


def _quoted(text: str) -> str:
    """Return a text as a JSON string: on one line, so that it can pretend no entry of its own."""
    return json.dumps(quote(_sent(text)), ensure_ascii=False)


def _numbers(completion: Completion, count: int) -> list[int]:
    """Return the places that a reply names, each once.  Raises BadCompletion where it holds no list of numbers."""
    texts = (*(call.arguments for call in completion.calls), without_thoughts(completion.text))
    for text in texts:
        for found in values(text):
            given = found.value.get("numbers") if isinstance(found.value, Mapping) else found.value
            if isinstance(given, list):
                whole = [int(one) for one in given if isinstance(one, int | str) and str(one).strip().isdecimal()]
                named = [number - 1 for number in dict.fromkeys(whole) if 1 <= number <= count]
                if named or not given:
                    return named
    raise BadCompletion("the model's reply names no entry; the form asked for is {numbers: [...]}")
