"""The contract of a language model: subclass LLMContract and give it an `llm` fixture."""

from __future__ import annotations

import json

from perdure.models import Completion, Prompt, Tool, Turn
from perdure.ports import LLM

SAY = Tool(
    "say",
    "Say the word that the user gave.",
    {
        "type": "object",
        "properties": {"word": {"type": "string"}},
        "required": ["word"],
        "additionalProperties": False,
    },
)
WORDS = ("apple", "bridge", "candle", "desert", "engine", "forest")


def echo(word: str, *tools: Tool) -> Prompt:
    """Return a prompt that asks for this word back, as text or by a tool."""
    return Prompt("echo", "Reply with the user's word, and nothing else.", (Turn("user", word),), "0" * 16, tools)


class LLMContract:
    """What every language model must do.  It must be able to say a word back.

    class TestMine(LLMContract):
        @pytest.fixture
        def llm(self):
            return Mine()
    """

    def test_completions_keep_the_order_of_the_prompts(self, llm: LLM) -> None:
        """However many run at once."""
        completions = llm.complete([echo(word) for word in WORDS])

        assert [word in completion.text.lower() for word, completion in zip(WORDS, completions, strict=True)] == [
            True
        ] * len(WORDS)

    def test_no_prompts_give_no_completions(self, llm: LLM) -> None:
        """Nothing is asked, and nothing is paid."""
        assert llm.complete([]) == []

    def test_a_tool_is_called_or_its_arguments_are_the_text(self, llm: LLM) -> None:
        """The steps read calls first, else the JSON inside the text."""
        [completion] = llm.complete([echo("candle", SAY)])

        assert _arguments(completion)["word"].lower() == "candle"

    def test_the_reply_names_its_model_and_counts_tokens(self, llm: LLM) -> None:
        """Every decision keeps the model's name; costs are never negative."""
        [completion] = llm.complete([echo("apple")])

        assert llm.model
        assert completion.model
        assert completion.prompt_tokens >= 0
        assert completion.completion_tokens >= 0
        assert completion.is_truncated is False


def _arguments(completion: Completion) -> dict[str, str]:
    text = completion.text
    if completion.calls:
        assert completion.calls[0].name == SAY.name
        text = completion.calls[0].arguments
    found: dict[str, str] = json.loads(text[text.index("{") : text.rindex("}") + 1])
    return found
