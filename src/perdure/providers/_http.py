"""JSON over HTTP to one model endpoint: time-outs, retries, error mapping, once for all providers.

Only the endpoint's own host is ever reached: redirects are errors, and proxy variables and .netrc are not read.
Messages name host, model and remedy; never a key, and never what was sent or said (error texts may quote the prompt).
"""

from __future__ import annotations

import json
import logging
import os
import re
import threading
import time
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

from perdure.errors import ProviderError, ProviderTimeout, RateLimited, SettingsError
from perdure.ports import Clock
from perdure.providers import _refusals
from perdure.providers.system import SystemClock

logger = logging.getLogger(__name__)

PASSING = frozenset({408, 429, 500, 502, 503, 504, 529})  # statuses after which the same request may succeed
FIRST_WAIT_S = 0.5  # chosen: doubles with each retry
LONGEST_WAIT_S = 8.0  # chosen: unless Retry-After asks for more
TOTAL_WAIT_S = 120.0  # chosen: all waits of one call together
MAX_BODY_BYTES = 64_000_000  # chosen: no completion is as long


class Rejected(ProviderError):
    """The endpoint does not accept this request.  `said` is its own text: to decide by, never to show."""

    def __init__(self, message: str, *, status: int, said: str) -> None:
        super().__init__(message, status=status)
        self.said = said


@dataclass(slots=True)
class _Clients:
    """The client of one process: connections never survive a fork."""

    pid: int
    opening: threading.Lock = field(default_factory=threading.Lock)
    client: Any = None  # httpx2.Client


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    retry_after: str | None
    body: bytes


class Endpoint:
    """One base URL, one key, one model.  May be shared by threads; connects at the first request.

    key_header: "authorization" sends the key as a bearer token, any other header as it is.
    key_name: the variable that an error names.

    A request is tried `retries` + 1 times: again after a lost connection, a time-out or a passing status, waiting
    0.5, 1, 2, ... 8 s, or as long as Retry-After asks, 120 s altogether at most.
    """

    def __init__(
        self,
        base_url: str,
        *,
        model: str,
        key: str | None,
        key_header: str = "authorization",
        key_name: str = "OPENAI_API_KEY",
        headers: Mapping[str, str] | None = None,
        timeout_s: float,
        retries: int,
        connections: int,
        transport: Any = None,  # an httpx2 transport
        sleep: Callable[[float], None] = time.sleep,
        clock: Clock | None = None,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self.host = _host(base_url)
        self._base_url = base_url.rstrip("/")
        self._model = model
        self._headers = {**_headers(key, key_header), **(headers or {})}
        self._key_name = key_name
        self._timeout_s = timeout_s
        self._retries = retries
        self._connections = connections
        self._transport = transport
        self._sleep = sleep
        self._clock = clock or SystemClock()
        self._ticks = ticks
        self._clients = _Clients(os.getpid())

    def __repr__(self) -> str:
        return f"Endpoint({self.host!r}, model={self._model!r})"

    def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the JSON object that answers a POST of `body`.

        Raises ProviderTimeout, RateLimited, Rejected, or ProviderError.
        """
        content = json.dumps(body).encode("ascii")
        waited = 0.0
        for attempt in range(self._retries + 1):
            try:
                return self._once(path, content)
            except ProviderError as err:
                if attempt == self._retries or not _is_passing(err):
                    raise
                wait = self._wait(err, attempt)
                if waited + wait > TOTAL_WAIT_S:
                    raise
                waited += wait
                logger.warning(
                    "provider.retry",
                    extra={"host": self.host, "status": err.status, "attempt": attempt + 1, "wait_s": wait},
                )
                self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Close the connections of this process; a later request opens new ones."""
        clients, self._clients = self._clients, _Clients(os.getpid())
        if clients.client is not None and clients.pid == os.getpid():
            clients.client.close()

    def _wait(self, err: ProviderError, attempt: int) -> float:
        asked = err.retry_after_s if isinstance(err, RateLimited) else None
        backing_off = min(FIRST_WAIT_S * 2.0**attempt, LONGEST_WAIT_S)
        return backing_off if asked is None else max(asked, 0.0)

    def _client(self) -> Any:
        import httpx2

        clients = self._clients
        if clients.pid != os.getpid():
            clients = self._clients = _Clients(os.getpid())
        with clients.opening:
            if clients.client is None:
                clients.client = httpx2.Client(
                    headers=self._headers,
                    timeout=httpx2.Timeout(self._timeout_s, pool=None),
                    limits=httpx2.Limits(max_connections=self._connections),
                    transport=self._transport,
                    trust_env=False,
                    follow_redirects=False,
                )
            return clients.client

    def _once(self, path: str, content: bytes) -> Mapping[str, Any]:
        import httpx2

        try:
            reply = self._exchange(self._client(), path, content)
        except httpx2.TimeoutException as err:
            raise self._timeout() from err
        except httpx2.RequestError as err:  # refused, reset, cut off, not HTTP
            raise ProviderError(
                f"the connection to {self._who} failed ({type(err).__name__}); check that the endpoint runs and is "
                "reachable, and its base_url"
            ) from err
        if reply.status != 200:
            raise self._error(reply)
        return self._object(reply)

    def _exchange(self, client: Any, path: str, content: bytes) -> _Reply:
        """Send and read, within the time-out as a whole: a trickling answer keeps no caller for ever."""
        until = self._ticks() + self._timeout_s
        chunks: list[bytes] = []
        size = 0
        with client.stream("POST", self._base_url + path, content=content) as response:
            for chunk in response.iter_bytes():
                chunks.append(chunk)
                size += len(chunk)
                if size > MAX_BODY_BYTES:
                    raise Rejected(
                        f"{self._who} answered with more than {MAX_BODY_BYTES} bytes; check its base_url",
                        status=response.status_code,
                        said="",
                    )
                if self._ticks() > until:
                    raise self._timeout()
            return _Reply(response.status_code, response.headers.get("retry-after"), b"".join(chunks))

    def _timeout(self) -> ProviderTimeout:
        return ProviderTimeout(
            f"{self._who} did not answer within {self._timeout_s:g} s; try again later, or raise llm_timeout_s"
        )

    def _object(self, reply: _Reply) -> Mapping[str, Any]:
        try:
            found = json.loads(reply.body)
        except (ValueError, RecursionError) as err:
            raise self._not_json(reply.status) from err
        if not isinstance(found, dict):
            raise self._not_json(reply.status)
        status = _refusals.embedded(found)
        if status is not None:
            raise self._error(_Reply(status, reply.retry_after, reply.body))
        return found

    def _not_json(self, status: int) -> Rejected:
        return Rejected(
            f"{self._who} did not answer with a JSON object; check that base_url is the root of the "
            "API that the model's name asks for (it usually ends in /v1)",
            status=status,
            said="",
        )

    def _error(self, reply: _Reply) -> ProviderError:
        status, said, code = reply.status, reply.body.decode("utf-8", "replace")[:10_000], _refusals.code(reply.body)
        what = f"{self._who} answered {status}" + (f" ({code})" if code else "")
        if status == 429:
            if code == "insufficient_quota":
                return Rejected(f"{what}: the account's quota is used up; check its plan", status=status, said=said)
            return RateLimited(
                f"{what}: too many requests; lower llm_concurrency or try again later",
                status=status,
                retry_after_s=self._retry_after(reply.retry_after or _refusals.retry_delay(said)),
            )
        if status in PASSING and not (status == 500 and _refusals.is_unknown_feature(said)):
            asked = self._retry_after(reply.retry_after)
            if status in (503, 529) and asked is not None:
                return RateLimited(f"{what}: overloaded; try again later", status=status, retry_after_s=asked)
            return ProviderError(f"{what}: the endpoint failed; try again later", status=status)
        if _refusals.is_filtered(code):
            what = f"{what}: its content filter refused the prompt; use another model for this conversation"
            return Rejected(what, status=status, said="")
        remedy = _refusals.remedy(status, said, key_name=self._key_name)
        return Rejected(f"{what}: {remedy}", status=status, said=said)

    def _retry_after(self, value: str | None) -> float | None:
        """Return the seconds that a Retry-After header asks for, given as seconds or as a date."""
        if value is None:
            return None
        if re.fullmatch(r"\s*\d{1,9}(\.\d{1,9})?\s*", value):
            return float(value)
        try:
            at = parsedate_to_datetime(value)
        except ValueError:
            return None
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        return max((at - self._clock.now()).total_seconds(), 0.0)

    @property
    def _who(self) -> str:
        return f"{self.host} (model {self._model!r})"


def _is_passing(err: ProviderError) -> bool:
    return not isinstance(err, Rejected)


def _host(base_url: str) -> str:
    try:
        parts = urllib.parse.urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError as err:
        raise SettingsError("base_url is not a URL; expected something like http://localhost:11434/v1") from err
    if parts.scheme not in ("http", "https") or not host:
        raise SettingsError("base_url must start with http:// or https:// and name a host")
    if parts.username is not None or parts.query or parts.fragment:
        raise SettingsError("base_url must hold neither user, password, query nor fragment; give the key as api_key")
    return f"{host}:{port}" if port else host


def _headers(key: str | None, key_header: str) -> dict[str, str]:
    headers = {"content-type": "application/json", "accept": "application/json", "user-agent": "perdure"}
    if key:
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise SettingsError("the API key holds blanks or characters that no key has; copy it anew")
        headers[key_header] = f"Bearer {key}" if key_header == "authorization" else key
    return headers
