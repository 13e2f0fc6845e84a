from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.wire import Answer, Request, chat, error, raw, serve

from perdure.models import Prompt
from perdure.ports import LLM
from perdure.providers.anthropic import AnthropicChat
from perdure.providers.fakes import Reply, ScriptedLLM
from perdure.providers.openai import OpenAIChat
from perdure.testing.llm import LLMContract


class TestScriptedLLM(LLMContract):
    @pytest.fixture
    def llm(self) -> LLM:
        def say(prompt: Prompt) -> Reply:
            word = prompt.turns[-1].content
            return {"word": word} if prompt.tools else word

        return ScriptedLLM(say)


def _say(request: Request) -> Answer:
    word = request.body["messages"][-1]["content"]
    return chat(None, calls=[("say", {"word": word})]) if "tools" in request.body else chat(word)


def _say_without_tools(request: Request) -> Answer:
    if "tools" in request.body:
        return error(400, "tools are not supported")
    word = request.body["messages"][-1]["content"]
    return chat(f'{{"word": "{word}"}}')


class TestOpenAIChat(LLMContract):
    @pytest.fixture(params=[_say, _say_without_tools])
    def llm(self, request: pytest.FixtureRequest) -> Iterator[LLM]:
        with serve(request.param) as wire:
            llm = OpenAIChat("tiny", api_key="sk-test", base_url=wire.base_url)
            yield llm
            llm.close()


def _say_messages(request: Request) -> Answer:
    word = request.body["messages"][-1]["content"]
    block = {"type": "tool_use", "id": "toolu_1", "name": "say", "input": {"word": word}}
    content = [block] if "tools" in request.body else [{"type": "text", "text": word}]
    usage = {"input_tokens": 11, "output_tokens": 7}
    return raw({"type": "message", "model": "tiny", "content": content, "stop_reason": "end_turn", "usage": usage})


class TestAnthropicChat(LLMContract):
    @pytest.fixture
    def llm(self) -> Iterator[LLM]:
        with serve(_say_messages) as wire:
            llm = AnthropicChat("tiny", api_key="sk-test", base_url=wire.base_url)
            yield llm
            llm.close()
