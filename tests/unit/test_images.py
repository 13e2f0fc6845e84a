"""Pictures in messages: described by a model that can see, kept and said otherwise, never fetched, never dropped."""

import json

import pytest

from perdure import Memory, registry
from perdure.errors import Forbidden, ProviderError
from perdure.providers import anthropic
from perdure.providers.fakes import FixedClock, HashEmbedder, ScriptedLLM
from perdure.providers.openai import OpenAIChat, request
from perdure.settings import Settings
from perdure.write import describe
from tests import make

WEB = {"type": "image_url", "image_url": {"url": "https://example.org/cat.jpg"}}
DATA = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}
ANTHROPIC = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
SAID = "A grey cat sleeps on a red sofa."


class Seer(ScriptedLLM):
    can_see = True


def script(asked):
    if asked.name == "describe":
        return SAID
    return {"facts": [{"text": "The user has a grey cat", "message": 1, "quote": "A grey cat sleeps on a red sofa."}]}


def open_memory(llm, **settings):
    settings = {"jobs": "manual", **settings}
    return Memory(":memory:", llm=llm, embedder=HashEmbedder(), clock=FixedClock(), settings=settings)


def said(*parts, text="My cat!"):
    return {"role": "user", "content": [{"type": "text", "text": text}, *parts]}


def test_a_model_that_can_see_describes_the_picture_and_its_words_are_extracted_and_found():
    llm = Seer(script)
    with open_memory(llm) as memory:
        result = memory.add(said(WEB), user="ana")
        [message] = memory.messages(user="ana").items
        hit = memory.search("grey cat on a sofa", user="ana", include=["messages"])[0]

    assert (result.status, result.warnings, result.usage.llm_calls) == ("done", (), 2)
    assert message.content == "My cat!\n[image]"
    assert message.metadata["image_description"] == {"text": SAID, "model": "scripted"}
    assert message.metadata["content_parts"] == [WEB]
    assert [change.memory.sources[0].quote for change in result.changes] == [SAID]
    assert hit.message.id == message.id
    shown, extracted = llm.prompts
    assert shown.images == ({"type": "image_url", "image_url": {"url": "https://example.org/cat.jpg"}},)
    assert f"[image, as scripted saw it: {SAID}]" in json.loads(
        extracted.turns[0].content.split("user: ")[-1].splitlines()[0]
    )


def test_a_model_that_cannot_see_gets_no_picture_and_the_message_is_kept_with_a_warning():
    llm = ScriptedLLM(lambda asked: {"facts": []})
    with open_memory(llm) as memory:
        result = memory.add(said(WEB), user="ana")
        [message] = memory.messages(user="ana").items

    assert [warning.code for warning in result.warnings] == ["part_not_read"]
    assert message.metadata["content_parts"] == [WEB]
    assert [asked.name for asked in llm.prompts] == ["extract"]


def test_a_picture_that_the_model_fails_on_is_kept_and_its_text_still_extracted():
    def failing(asked):
        return ProviderError("no") if asked.name == "describe" else {"facts": []}

    with open_memory(Seer(failing)) as memory:
        result = memory.add(said(WEB), user="ana")
        [message] = memory.messages(user="ana").items

    assert (result.status, [warning.code for warning in result.warnings]) == ("done", ["image_not_described"])
    assert message.metadata["content_parts"] == [WEB]


def test_a_picture_is_described_once_however_often_its_exchange_is_tried():
    replies = iter([SAID, ProviderError("down"), {"facts": []}])
    llm = Seer(lambda asked: next(replies))
    with open_memory(llm) as memory:
        first = memory.add(said(WEB), user="ana")
        second = memory.retry(first.operation_id)

    assert (first.status, second.status) == ("failed", "done")
    assert [asked.name for asked in llm.prompts] == ["describe", "extract", "extract"]


def test_a_budget_that_does_not_reach_keeps_the_picture_for_a_retry():
    with open_memory(Seer(script), daily_call_budget=0) as memory:
        with pytest.raises(Forbidden):
            memory.add(said(WEB), user="ana")
        [message] = memory.messages(user="ana").items

    assert message.metadata == {"content_parts": [WEB]}


def test_a_described_message_keeps_its_description_when_the_store_is_re_embedded():
    with open_memory(Seer(script)) as memory:
        memory.add(said(WEB), user="ana")
        memory.reembed(HashEmbedder(128))
        hit = memory.search("sleeps on a red sofa", user="ana", include=["messages"], explain=True)[0]

    assert next(one.raw for one in hit.explanation.signals if one.channel == "dense") > 0.4


@pytest.mark.parametrize(
    ("part", "url"),
    [
        (WEB, "https://example.org/cat.jpg"),
        (DATA, "data:image/png;base64,iVBORw0KGgo="),
        (ANTHROPIC, "data:image/png;base64,iVBORw0KGgo="),
        ({"type": "image", "source": {"type": "url", "url": "http://a.b/c.png"}}, "http://a.b/c.png"),
    ],
)
def test_every_common_form_of_a_picture_is_shown_in_one_form(part, url):
    shown, left_out = describe.images(make.message_record(metadata={"content_parts": [part]}))

    assert (shown, left_out) == ([{"type": "image_url", "image_url": {"url": url}}], 0)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": {"url": "file:///etc/passwd"}},
        {"type": "image_url", "image_url": {"url": "data:text/html;base64,AAAA"}},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * describe.MAX_IMAGE_CHARS}},
        {"type": "image_url", "image_url": 7},
        {"type": "image"},
        {"type": "audio", "audio": "https://example.org/a.mp3"},
        "text",
    ],
)
def test_what_is_no_picture_of_a_fit_size_is_not_shown(part):
    assert describe.images(make.message_record(metadata={"content_parts": [part]})) == ([], 1)


def test_only_so_many_pictures_of_a_message_are_shown():
    shown, left_out = describe.images(make.message_record(metadata={"content_parts": [WEB] * 10}))

    assert (len(shown), left_out) == (8, 2)


def test_parts_that_are_not_shown_are_said_even_where_the_model_sees():
    audio = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}
    with open_memory(Seer(script)) as memory:
        result = memory.add(said(WEB, audio), user="ana")

    assert [warning.code for warning in result.warnings] == ["part_not_read"]


def test_a_picture_goes_out_as_a_part_of_the_first_turn():
    asked = describe.prompt(make.message_record("My cat!"), [WEB], folder=None)
    dialect = OpenAIChat("tiny", base_url="http://localhost:1/v1")._dialect

    [_, turn] = request("tiny", asked, dialect)["messages"]

    assert turn["content"][0]["type"] == "text"
    assert turn["content"][1:] == [WEB]


def test_a_picture_goes_to_anthropic_as_a_block_of_its_own_kind():
    asked = describe.prompt(
        make.message_record(),
        describe.images(make.message_record(metadata={"content_parts": [WEB, DATA]}))[0],
        folder=None,
    )

    [turn] = anthropic.request("claude", asked, anthropic.Accepted())["messages"]

    assert turn["content"][:2] == [
        {"type": "image", "source": {"type": "url", "url": "https://example.org/cat.jpg"}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
    ]
    assert turn["content"][2]["type"] == "text"


@pytest.mark.parametrize(
    ("model", "sees", "expected"),
    [("gpt-4o-mini", "auto", True), ("qwen2.5-vl", "auto", True), ("gpt-3.5-turbo", "auto", False),
     ("qwen2.5:7b", "auto", False), ("own", "yes", True), ("gpt-4o", "no", False)],
)  # fmt: skip
def test_who_can_see_is_known_by_name_or_said(model, sees, expected):
    settings = Settings(llm_sees=sees, llm_base_url="http://localhost:1/v1")

    assert describe.can_see(registry.language_model(f"openai:{model}", settings)) is expected
