"""A chat-completions endpoint on loopback that answers as the test's script says, and keeps what it was asked."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP answer.  `how`: "cut" breaks off in the body, "reset" sends nothing and resets, "silent" waits."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    how: Literal["whole", "cut", "reset", "silent", "trickle"] = "whole"


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


Script = Sequence[Answer] | Callable[[Request], Answer]


def chat(
    content: Any = "",
    *,
    calls: Sequence[tuple[str, Any]] = (),
    finish: str = "stop",
    usage: Any = None,
    **message: Any,
) -> Answer:
    """The answer of a chat-completions endpoint; calls are (name, arguments), arguments a mapping or raw text."""
    made: dict[str, Any] = {"role": "assistant", "content": content, **message}
    if calls:
        made["tool_calls"] = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
                },
            }
            for number, (name, arguments) in enumerate(calls)
        ]
    return raw(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": "tiny-2024-07-18",
            "choices": [{"index": 0, "message": made, "finish_reason": finish, "logprobs": None}],
            "usage": usage or {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }
    )


def raw(body: Any, *, status: int = 200, **headers: str) -> Answer:
    return Answer(status, json.dumps(body).encode(), {"content-type": "application/json", **headers})


def error(status: int, message: str = "", *, code: str | None = None, kind: str = "error", **headers: str) -> Answer:
    """An error body as OpenAI writes it; header names are given with underscores."""
    body = {"error": {"message": message, "type": kind, "param": None, "code": code}}
    return raw(body, status=status, **{name.replace("_", "-"): value for name, value in headers.items()})


class Wire:
    """The running endpoint: its base URL, and every request in order of arrival."""

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        self.released = threading.Event()  # set at the end, so that silent answers end too
        self._lock = threading.Lock()
        self._next = script if callable(script) else self._in_order(iter(script))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.base_url = f"http://127.0.0.1:{self.server.server_port}/v1"

    @staticmethod
    def _in_order(answers: Iterator[Answer]) -> Callable[[Request], Answer]:
        return lambda request: next(answers, Answer(500, b"the script has run out"))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        wire = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.path, headers, json.loads(self.rfile.read(length)))
                with wire._lock:
                    wire.requests.append(request)
                    answer = wire._next(request)
                wire._send(self, answer)

            def log_message(self, format: str, *args: Any) -> None:
                """Tests are quiet."""

        return Handler

    def _send(self, handler: BaseHTTPRequestHandler, answer: Answer) -> None:
        if answer.how == "silent":
            self.released.wait(30)
        if answer.how in ("silent", "reset"):
            handler.close_connection = True
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        handler.send_response(answer.status)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(answer.body) + (10 if answer.how == "cut" else 0)))
        handler.end_headers()
        try:
            if answer.how == "trickle":
                for byte in answer.body:
                    handler.wfile.write(bytes([byte]))
                    handler.wfile.flush()
                    self.released.wait(0.02)
            else:
                handler.wfile.write(answer.body)
        except OSError:  # the client has gone
            handler.close_connection = True
        if answer.how == "cut":
            handler.close_connection = True


@contextmanager
def serve(script: Script) -> Iterator[Wire]:
    wire = Wire(script)
    thread = threading.Thread(target=wire.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield wire
    finally:
        wire.released.set()
        wire.server.shutdown()
        thread.join()
        wire.server.server_close()
