"""mem0ai and langmem beside perdure: their own code, the run's model.  Without the packages, what is missing is said."""

from __future__ import annotations

import json
import os
import sys
from uuid import uuid4

import pytest

from perdure.errors import BadCompletion, Forbidden, ProviderError, SettingsError
from perdure.evaluation import datasets
from perdure.evaluation.outcomes import Folder
from perdure.evaluation.systems import Setup, make
from perdure.evaluation.systems.packaged import Asked
from perdure.evaluation.tape import Limits, Tape, TapedLLM
from perdure.interfaces.cli import run
from perdure.models import Prompt, Tool
from perdure.providers.fakes import HashEmbedder, ScriptedLLM
from perdure.settings import Settings
from perdure.text import count_tokens
from tests import asked as own
from tests.wire import Answer, Request, chat, serve

pytestmark = pytest.mark.filterwarnings("ignore")  # of the packages
MODULES = {"mem0": "mem0", "langmem": "langmem", "graphiti": "graphiti_core"}
NONE = "No information available"
ASKED = "What is the name of Ana's cat?"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("MEM0_DIR", str(tmp_path / "home"))
    monkeypatch.setenv("MEM0_TELEMETRY", "False")


@pytest.fixture(params=list(MODULES))
def name(request):
    pytest.importorskip(MODULES[request.param])
    return request.param


@pytest.fixture
def conversation(tmp_path):
    return datasets.load("own", own.write(tmp_path, "c1"))[0]


def reply(prompt: Prompt):
    """What the model says to each package: one memory of every line that is new."""
    said = prompt.system + prompt.turns[-1].content
    if prompt.name == "graphiti-core":
        return json.dumps(graph_of(said))
    new = said.rpartition("## New Messages")[2].rpartition("<session_")[2]
    found = [text for _, text, _ in own.TALK if text in new]
    if prompt.name == "mem0ai":
        return json.dumps({"memory": [{"id": str(n), "text": text} for n, text in enumerate(found)]})
    return {"tool": "Memory", "arguments": {"content": found[0]}}


def graph_of(said: str) -> dict[str, object]:
    """Ana, Mia and Graz, and what joins them, in the form that Graphiti asks for."""
    form = json.JSONDecoder().raw_decode(said.rpartition("following format:")[2].strip())[0]
    if form["title"] == "ExtractedEntities":
        new = said.partition("<CURRENT MESSAGE>")[2].partition("</CURRENT MESSAGE>")[0]
        named = [one for one in ("Ana", "Mia", "Graz") if one in new]
        return {"extracted_entities": [{"name": one, "entity_type_id": 0, "episode_indices": [0]} for one in named]}
    if form["title"] == "ExtractedEdges":
        edge = {
            "source_entity_name": "Ana",
            "target_entity_name": "Mia",
            "relation_type": "HAS",
            "episode_indices": [0],
        }
        dated = {"valid_at": "2024-05-01T00:00:00Z", "invalid_at": None, "fact": "Ana has the cat Mia."}
        return {"edges": [edge | dated] if "cat yesterday" in said.partition("<CURRENT_MESSAGE>")[2] else []}
    return {name: [] for name in form["properties"]}


def setup(llm):
    return Setup(HashEmbedder(), llm, Settings(), count_tokens, 500)


@pytest.mark.parametrize("name", list(MODULES))
def test_a_package_that_is_not_installed_is_named_with_the_command_that_installs_it(name, monkeypatch):
    monkeypatch.setitem(sys.modules, MODULES[name], None)

    with pytest.raises(SettingsError, match=rf"pip install 'perdure\[{name}\]'"):
        make(name, setup(ScriptedLLM(reply)))


@pytest.mark.parametrize("name", list(MODULES))
def test_a_packages_system_needs_a_model_and_an_embedder(name):
    with pytest.raises(SettingsError, match="--llm"):
        make(name, setup(None))
    with pytest.raises(SettingsError, match="embedder"):
        make(name, Setup(None, ScriptedLLM(reply), Settings(), count_tokens, 500))


def test_it_takes_in_sessions_and_finds_a_memory_with_its_day(name, conversation):
    if name == "graphiti":
        pytest.skip("below: it asks in several steps")
    llm = ScriptedLLM(reply)
    system = make(name, setup(llm))

    system.ingest(conversation)
    [found] = system.retrieve([ASKED], k=1)
    held = system.held()
    system.reset()

    assert found.context == f"1 May 2024: {own.TALK[0][1]}"
    assert found.confidence > 0.1
    assert (found.turns, found.is_ranked) == ((), False)
    assert held.facts == (4 if name == "mem0" else 2)
    assert [prompt.name for prompt in llm.prompts] == [{"mem0": "mem0ai"}.get(name, name)] * 2
    assert "1 May 2024 10:00 Ana: Hi Ben!" in llm.prompts[0].turns[-1].content


def test_another_conversation_begins_empty(name, conversation):
    system = make(name, setup(ScriptedLLM(reply)))

    system.ingest(conversation)
    before = system.held()
    system.ingest(conversation)
    again = system.held()
    system.reset()

    assert again == before


def test_asked_again_it_pays_no_call_twice(name, conversation, tmp_path):
    llm, paid = ScriptedLLM(reply), []
    for _ in range(2):
        system = make(name, setup(TapedLLM(llm, Tape(tmp_path / "calls.jsonl"))))
        system.ingest(conversation)
        system.reset()
        paid.append(len(llm.prompts))

    assert paid[0] == paid[1] >= 2


def test_a_budget_that_is_used_up_stops_it(name, conversation, tmp_path):
    system = make(name, setup(TapedLLM(ScriptedLLM(reply), Tape(tmp_path / "calls.jsonl"), limits=Limits(tokens=1))))

    with pytest.raises(Forbidden, match="--max-tokens"):
        system.ingest(conversation)
    system.reset()


def test_a_model_that_fails_is_that_error(name, conversation):
    system = make(name, setup(ScriptedLLM(lambda prompt: ProviderError("down"))))

    with pytest.raises(ProviderError, match="down"):
        system.ingest(conversation)
    system.reset()


def test_mem0_is_told_the_sessions_day(conversation):
    pytest.importorskip("mem0")
    llm = ScriptedLLM(reply)
    system = make("mem0", setup(llm))

    system.ingest(conversation)
    system.reset()

    assert "## Observation Date\n2024-05-01\n" in llm.prompts[0].turns[-1].content
    assert "## Observation Date\n2024-05-09\n" in llm.prompts[1].turns[-1].content


def test_graphiti_finds_a_fact_with_the_day_from_which_it_holds(conversation):
    pytest.importorskip("graphiti_core")
    system = make("graphiti", setup(ScriptedLLM(reply)))

    system.ingest(conversation)
    [found] = system.retrieve(["the cat Mia"], k=3)
    held = system.held()
    system.reset()

    assert found.context == "1 May 2024: Ana has the cat Mia."
    assert (held.facts, found.turns, found.is_ranked) == (1, (), False)


def test_a_reply_that_graphiti_cannot_read_is_named(conversation):
    pytest.importorskip("graphiti_core")
    for said, words in (("{}", "could not go on"), ("Hello.", "no JSON object")):
        system = make("graphiti", setup(ScriptedLLM(lambda prompt, said=said: said)))
        with pytest.raises(BadCompletion, match=words):
            system.ingest(conversation)
        system.reset()


def test_langmem_mends_a_memory_and_its_day(conversation):
    pytest.importorskip("langmem")

    def mending(prompt: Prompt):
        if not any(tool.name == "PatchDoc" for tool in prompt.tools):
            return {"tool": "Memory", "arguments": {"content": "Ana lives somewhere."}}
        id = prompt.system.partition("<instance id=")[2].split()[0]
        patch = {"op": "replace", "path": "/content", "value": "Ana lives in Graz."}
        return {
            "tool": "PatchDoc",
            "arguments": {"json_doc_id": id, "planned_edits": "the town", "patches": [patch]},
        }

    system = make("langmem", setup(ScriptedLLM(mending)))

    system.ingest(conversation)
    [found] = system.retrieve(["Where does Ana live?"], k=5)
    system.reset()

    assert found.context == "9 May 2024: Ana lives in Graz."


def test_langmem_may_record_nothing(conversation):
    pytest.importorskip("langmem")
    system = make("langmem", setup(ScriptedLLM(lambda prompt: {"tool": "nothing", "arguments": {}})))

    system.ingest(conversation)

    assert (system.held().facts, system.retrieve([ASKED], k=3)[0].context) == (0, "")


def test_langmem_that_gets_no_valid_call_stops_with_an_error(conversation):
    pytest.importorskip("langmem")

    def useless(prompt: Prompt):
        return (
            reply(prompt) if "PatchDoc" not in [t.name for t in prompt.tools] else {"tool": "PatchDoc", "arguments": {}}
        )

    system = make("langmem", setup(ScriptedLLM(useless)))

    with pytest.raises(BadCompletion, match="langmem could not take in c1"):
        system.ingest(conversation)


def test_ids_that_a_package_draws_do_not_change_its_prompts():
    llm = ScriptedLLM(lambda prompt: {"id": prompt.turns[0].content.split()[1], "text": prompt.turns[0].content})
    tool = Tool("keep", "Keep.", {"type": "object"})
    seen = []
    for _ in range(2):
        asked, one, other = Asked(llm, "pytest"), str(uuid4()), uuid4().hex
        completion = asked.ask([("user", f"keep {one} and x_{other}, then {one}")], [tool])
        said = json.loads(completion.calls[0].arguments)
        assert said == {"id": one, "text": f"keep {one} and x_{other}, then {one}"}
        seen.append(llm.prompts[-1])

    assert seen[0] == seen[1]
    assert len(set(seen[0].turns[0].content.replace(",", "").split()) - {"keep", "and", "then"}) == 2


def respond(request: Request) -> Answer:
    """A chat-completions endpoint for both packages, and for the answers."""
    said = request.body["messages"][-1]["content"]
    tools = [tool["function"]["name"] for tool in request.body.get("tools", [])]
    if tools:
        found = [text for _, text, _ in own.TALK if text in said]
        return chat(None, calls=[("Memory", {"content": text}) for text in found])
    if "following format:" in said:
        return chat(json.dumps(graph_of(said)))
    if "## New Messages" in said:
        new = said.rpartition("## New Messages")[2]
        return chat(json.dumps({"memory": [{"id": "0", "text": text} for _, text, _ in own.TALK if text in new]}))
    return chat(own.answer(said))


def test_through_a_socket_it_takes_in_finds_and_answers(name, tmp_path, monkeypatch, capsys):
    pytest.importorskip("bpe_openai")
    for key in [key for key in os.environ if key.startswith("PERDURE_")]:
        monkeypatch.delenv(key)
    monkeypatch.setenv("OPENAI_API_KEY", "k-test")
    data = own.write(tmp_path, "c1")
    line = ["--embedder", "hash", "--llm", "openai:tiny", "eval", "own", "--file", str(data), "--judges", "none"]

    with serve(respond) as wire:
        monkeypatch.setenv("PERDURE_LLM_BASE_URL", wire.base_url)
        code = run([*line, "--out", str(tmp_path / "run"), "--systems", f"{name},none", "--k", "4"])

    assert code == 0
    answers = [row.answer.text for row in Folder(tmp_path / "run").outcomes() if row.system == name and row.answer]
    [ingested] = [one for one in Folder(tmp_path / "run").ingests() if one.system == name]
    expected, facts = {  # what mem0 and graphiti find has words of the question, or passes their own thresholds
        "mem0": (["Mia", "a red kayak", NONE, NONE], 4),
        "langmem": (["Mia", "a red kayak", "Graz", NONE], 4),
        "graphiti": (["Mia", NONE, NONE, NONE], 1),
    }[name]
    assert answers == expected
    assert ingested.facts == facts
    assert ingested.calls >= 2
    right = {"mem0": 66.7, "langmem": 100.0, "graphiti": 33.3}[name]
    assert f"| {name} | {right} |" in capsys.readouterr().out
