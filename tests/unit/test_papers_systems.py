"""ReadAgent, MemoryBank and MemGPT as their papers have them, with scripted models and our own talk."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from perdure.errors import BadCompletion, SettingsError
from perdure.evaluation import datasets
from perdure.evaluation.conversation import Conversation, Turn
from perdure.evaluation.outcomes import Folder
from perdure.evaluation.systems import Setup, make
from perdure.models import Completion
from perdure.providers.fakes import HashEmbedder, ScriptedLLM
from perdure.settings import Settings
from perdure.text import count_tokens
from tests import asked as own
from tests.unit.test_experiment import carry_out

START = datetime(2024, 5, 1, 9, tzinfo=UTC)
WORDS = "the boat needs paint before the summer and the harbour wants its fee by Friday"


def talk(*days: tuple[int, list[str]]) -> Conversation:
    """Ana says these sentences, each list on its day."""
    turns = [
        Turn(f"{day}.{number}", "Ana", text, START + timedelta(days=day, minutes=number), session=str(day))
        for day, texts in days
        for number, text in enumerate(texts)
    ]
    return Conversation("c1", ("Ana", "Ben"), tuple(turns), ())


def system(name: str, script, *, embedder=None):
    llm = ScriptedLLM(script)
    return make(name, Setup(embedder or HashEmbedder(), llm, Settings(), count_tokens, 500)), llm


@pytest.mark.parametrize("name", ["readagent", "memorybank", "memgpt"])
def test_a_papers_system_needs_a_model(name):
    with pytest.raises(SettingsError, match="--llm"):
        make(name, Setup(HashEmbedder(), None, Settings(), count_tokens, 500))


@pytest.mark.parametrize("name", ["readagent", "memorybank", "memgpt"])
def test_it_goes_through_a_whole_run_and_a_second_one_pays_nothing(tmp_path, name):
    def reply(prompt):
        if prompt.name == "readagent_look":
            return {"pages": [1]}
        if prompt.name.startswith("memgpt"):
            return {"tool": "nothing" if prompt.name == "memgpt_write" else "ready", "arguments": {}}
        return "They talk." if prompt.name.startswith(("readagent", "memorybank")) else own.reply(prompt)

    conversations = datasets.load("own", own.write(tmp_path, "c1"))
    folder, llm = Folder(tmp_path / "run"), ScriptedLLM(reply)
    carry_out(folder, conversations, llm=llm, names=(name,))
    paid = len(llm.prompts)
    (tmp_path / "run" / "rows.jsonl").unlink()
    carry_out(folder, conversations, llm=llm, names=(name,))

    answers = [row.answer.text for row in folder.outcomes()]
    assert answers[0] == "Mia" or name == "memorybank"
    assert len(llm.prompts) == paid


# ---------------------------------------------------------------- ReadAgent


def test_pages_end_where_the_model_pauses_and_gists_stand_for_them():
    said = [f"{WORDS} {number}." for number in range(40)]  # 20 words a line with its date

    def reply(prompt):
        if prompt.name == "readagent_pause":
            return {"mark": 1}
        return {"pages": [2, 99]} if prompt.name == "readagent_look" else "A gist."

    made, llm = system("readagent", reply)
    made.ingest(talk((0, said)))
    [found] = made.retrieve(["Who wants a fee?"], k=1)

    pauses = [prompt for prompt in llm.prompts if prompt.name == "readagent_pause"]
    first = pauses[0].turns[0].content
    words = len(first.partition("<1>")[0].split())
    assert 280 <= words < 320
    assert len(re.sub(r"<\d+>", "", first).split()) <= 600
    pages = made.held().facts
    assert found.context.count("A gist.") == pages - 1
    assert found.turns[0] == f"0.{first.partition('<1>')[0].count(' Ana: ')}"  # the page after the first pause
    assert "A gist." not in found.context.split("Ana: ")[1]


def test_without_a_pause_a_page_is_as_long_as_it_may_be():
    said = [f"{WORDS} {number}." for number in range(40)]

    made, llm = system("readagent", lambda prompt: {"mark": 77} if prompt.name == "readagent_pause" else "A gist.")
    made.ingest(talk((0, said)))

    pages = [prompt.turns[0].content for prompt in llm.prompts if prompt.name == "readagent_gist"]
    assert sum(page.count("Ana:") for page in pages) == 40
    assert 560 <= len(pages[0].split()) <= 600


def test_a_gist_that_is_cut_off_is_an_error():
    made, _ = system("readagent", lambda prompt: Completion("A gis", is_truncated=True))

    with pytest.raises(BadCompletion, match="readagent_gist"):
        made.ingest(talk((0, ["I moved to Graz."])))


# ---------------------------------------------------------------- MemoryBank


def test_what_is_never_recalled_fades_and_what_is_recalled_stays():
    sails = [(day, ["We sail the red boat."]) for day in range(0, 400, 2)]
    made, _ = system("memorybank", lambda prompt: "A day.")

    made.ingest(talk((0, ["Grandmother bakes poppy cake."]), *sails))
    cake, boat = made.retrieve(["Who bakes poppy cake?", "Which boat do we sail?"], k=3)

    assert "poppy" not in cake.context
    assert "red boat" in boat.context
    assert {turn.partition(".")[0] for turn in boat.turns} - {"398"}  # older days too, for they were recalled


def test_the_last_day_is_remembered_whole_and_summaries_stand_first():
    def reply(prompt):
        return "Ana is cheerful." if prompt.name == "memorybank_all" else "They met."

    made, llm = system("memorybank", reply)
    made.ingest(talk((0, ["I have a cat."]), (30, ["My cat is called Mia.", "She is grey."])))
    [found] = made.retrieve(["What is the cat called?"], k=10)

    assert found.context.startswith("Ana is cheerful.\n")
    assert {"30.0", "30.1"} <= set(found.turns)
    assert [prompt.name for prompt in llm.prompts] == ["memorybank_day", "memorybank_day", "memorybank_all"]
    assert "1 May 2024: They met.\n31 May 2024: They met." in llm.prompts[-1].turns[0].content


def test_forgetting_is_the_same_in_every_run():
    days = [(day, [f"Parcel {day} came."]) for day in range(0, 60, 3)]
    found = []
    for _ in range(2):
        made, _ = system("memorybank", lambda prompt: "A day.")
        made.ingest(talk(*days))
        found.append(made.retrieve(["Which parcel came?"], k=50)[0].turns)

    assert found[0] == found[1]
    assert 0 < len(found[0]) < 20


# ---------------------------------------------------------------- MemGPT


def test_the_model_edits_its_core_archives_and_searches_both_stores():
    rounds = iter(
        [
            {"tool": "core_append", "arguments": {"text": "Ana lives in Lyon."}},
            {"tool": "core_replace", "arguments": {"old": "Lyon", "new": "Graz"}},
            {"tool": "archive", "arguments": {"text": "Ana's cat is Mia."}},
            {"tool": "archival_search", "arguments": {"query": "cat", "page": 0}},
            {"tool": "recall_search", "arguments": {"query": "kayak", "page": 0}},
            {"tool": "ready", "arguments": {}},
        ]
    )
    made, llm = system("memgpt", lambda prompt: next(rounds) if prompt.name.startswith("memgpt") else "Earlier days.")

    kayak = [f"I bought a red kayak. {WORDS}. " + WORDS * 20]
    made.ingest(talk((0, kayak), (1, ["I live in Lyon.", "Now I live in Graz." + WORDS * 20]), (2, ["Mia is grey."])))
    [found] = made.retrieve(["Which cat?"], k=1)

    assert found.context.startswith("Ana lives in Graz.\n")
    assert "Ana's cat is Mia." in found.context
    assert {"0.0", "2.0"} <= set(found.turns)
    assert "Ana's cat is Mia." in llm.prompts[-1].turns[0].content
    assert made.held().facts >= 2


def test_a_full_queue_leaves_its_older_half_to_the_summary():
    made, llm = system(
        "memgpt",
        lambda prompt: "They talked of boats." if prompt.name == "summarize" else {"tool": "nothing", "arguments": {}},
    )

    made.ingest(talk((0, [f"{WORDS} {number}." for number in range(60)])))
    [found] = made.retrieve(["?"], k=1)

    assert "They talked of boats." in found.context
    assert count_tokens(found.context) < 1_100
    assert found.turns[-1] == "0.59"
    assert "0.0" not in found.turns
    assert any(prompt.name == "summarize" for prompt in llm.prompts)


def test_a_search_that_brings_nothing_new_ends_the_searching():
    made, llm = system(
        "memgpt",
        lambda prompt: (
            {"tool": "nothing", "arguments": {}}
            if prompt.name == "memgpt_write"
            else {"tool": "recall_search", "arguments": {"query": "cat", "page": "x"}}
        ),
    )
    made.ingest(talk((0, ["I have a cat."])))
    before = len(llm.prompts)

    made.retrieve(["Which cat?"], k=1)

    assert len(llm.prompts) - before == 2
