"""A model that answers the probe's exchanges as a good one does, as a script and behind an endpoint."""

from __future__ import annotations

from typing import Any

from perdure.models import Prompt, Turn
from tests.conversation import shown_numbers
from tests.wire import Answer, Request, chat

FACTS: dict[str, list[dict[str, Any]]] = {
    "twelve inches": [],
    "I work as a carpenter": [
        {"text": "Marta works as a carpenter", "quote": "I work as a carpenter"},
        {"text": "Marta lives in Graz", "quote": "I live in Graz"},
    ],
    "my brother Emil keeps": [
        {"text": "Marta is allergic to hazelnuts", "quote": "I'm allergic to hazelnuts"},
        {"text": "Marta's brother Emil keeps bees in four hives", "quote": "my brother Emil keeps bees"},
    ],
    "half marathon": [
        {
            "text": "Marta ran her first half marathon in Bled on 13 March 2024",
            "quote": "Yesterday I ran my first half marathon",
            "event_from": "2024-03-13",
        }
    ],
    "結婚します": [
        {
            "text": "Martaの姉は2025年6月21日に結婚する",
            "quote": "姉は2025年6月21日に結婚します",
            "event_from": "2025-06-21",
        }
    ],
    "from Graz to Trieste": [{"text": "Marta lives in Trieste", "quote": "I live there now"}],
    "no pralines": [{"text": "Marta is allergic to hazelnuts", "quote": "I am allergic to hazelnuts"}],
    "He never was an Emil": [
        {"text": "Marta's brother is called Emin and keeps bees", "quote": "he is called Emin", "corrects": True}
    ],
    "un chat": [{"text": "Marta a adopté un chat qui s'appelle Minou", "quote": "J'ai adopté un chat"}],
    "Translate into Italian": [],
}


def answer(prompt: Prompt) -> Any:
    """What a good model says to a prompt of the probe; text where no tool is asked for."""
    if not prompt.tools:
        return "ready"
    said = prompt.turns[0].content
    if prompt.tools[0].name == "record_facts":
        new = said.rpartition("\nNEW\n")[2]
        [facts] = [facts for words, facts in FACTS.items() if words in new]
        return {"facts": facts}
    numbers = shown_numbers(prompt)
    return {"decisions": [_decision(number, line, numbers) for number, line in _facts(said)]}


def _facts(said: str) -> list[tuple[int, str]]:
    lines = said.rpartition("\nFACTS\n")[2].splitlines()
    return [(int(line[1 : line.index("]")]), line) for line in lines]


def _decision(number: int, line: str, numbers: dict[str, int]) -> dict[str, Any]:
    def of(word: str) -> int | None:
        return next((shown for text, shown in numbers.items() if word in text), None)

    made: dict[str, Any] = {"fact": number, "event": "ADD", "memory": None, "effect": None, "text": None, "changed": []}
    if "Trieste" in line and of("Graz"):
        made |= {"event": "DELETE", "memory": of("Graz"), "effect": "change"}
    if "hazelnuts" in line and of("hazelnuts"):
        made |= {"event": "NOOP", "memory": of("hazelnuts")}
    if "Emin" in line and of("Emil"):
        made |= {"event": "DELETE", "memory": of("Emil"), "effect": "correction"}
    return made


def serve_it(request: Request) -> Answer:
    """The same model behind an OpenAI-compatible endpoint."""
    from perdure.write import decide, extract

    called = request.body.get("tools", [{}])[0].get("function", {}).get("name")
    tools = [tool for tool in (extract.TOOL, decide.TOOL) if tool.name == called]
    turns = (Turn("user", request.body["messages"][-1]["content"]),)
    said = answer(Prompt("probe", "", turns, "0" * 16, tuple(tools)))
    return chat(None, calls=[(tools[0].name, said)]) if tools else chat(said)
