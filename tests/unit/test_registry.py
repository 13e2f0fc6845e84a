from __future__ import annotations

from pathlib import Path

import pytest

from perdure import registry
from perdure.errors import SettingsError
from perdure.providers.fakes import FixedClock, HashEmbedder, ScriptedLLM
from perdure.providers.local import MiniLM
from perdure.providers.openai import VENDORS, OpenAIChat
from perdure.settings import Settings
from perdure.stores.in_memory import InMemoryStore


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "VLLM_BASE_URL", "LLAMACPP_BASE_URL", "OLLAMA_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_objects_pass_in_place_of_names() -> None:
    llm, embedder, store = ScriptedLLM([]), HashEmbedder(), InMemoryStore(clock=FixedClock())

    own_llm = registry.language_model(llm, Settings(llm="openai:x"))
    own_embedder, warnings = registry.embedder(embedder, Settings(embedder="none"))

    assert own_llm is not None
    assert own_llm.model == llm.model
    assert own_embedder is not None
    assert (own_embedder.model, warnings) == (embedder.model, [])
    assert registry.store(store, Settings(store="x.db"), FixedClock()) is store


def test_no_name_is_no_language_model() -> None:
    assert registry.language_model(None, Settings()) is None


@pytest.mark.parametrize(("spec", "setting"), [("openai:a/b:free", None), (None, "openai:a/b:free")])
def test_a_language_model_is_named_by_argument_or_setting(spec: str | None, setting: str | None) -> None:
    llm = registry.language_model(spec, Settings(llm=setting, llm_base_url="http://localhost:1/v1"))

    assert isinstance(llm, OpenAIChat)
    assert llm.model == "a/b:free"
    assert "localhost:1" in repr(llm)


@pytest.mark.parametrize(
    "spec", ["", "openai", "openai:", "gpt-4o-mini", "scripted", "anthropic:", "OpenAI:x", "mistral:x"]
)
def test_an_unknown_language_model_is_refused_with_the_known_ones(spec: str) -> None:
    with pytest.raises(SettingsError, match="openai:gpt-4o-mini"):
        registry.language_model(spec, Settings())


def test_vendors_are_named_with_their_own_addresses_and_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = ("ANTHROPIC_API_KEY", "AZURE_OPENAI_API_KEY", "OPENROUTER_API_KEY", "GOOGLE_API_KEY")
    for name in keys:
        monkeypatch.setenv(name, "k-test")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com")
    hosts = {
        "anthropic": "api.anthropic.com", "openai": "api.openai.com", "azure": "mine.openai.azure.com",
        "openrouter": "openrouter.ai", "gemini": "generativelanguage.googleapis.com", "vllm": "localhost:8000",
        "llamacpp": "localhost:8080", "ollama": "localhost:11434",
    }  # fmt: skip

    assert set(hosts) == {"anthropic", *VENDORS}
    for vendor, host in hosts.items():
        llm = registry.language_model(f"{vendor}:a/b:free" if vendor != "azure" else "azure:mine", Settings())
        assert f"host={host!r}" in repr(llm)


@pytest.mark.parametrize("vendor", ["anthropic", "azure", "openrouter", "gemini"])
def test_a_vendor_that_needs_a_key_says_which(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "AZURE_OPENAI_API_KEY", "OPENROUTER_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com")

    with pytest.raises(SettingsError, match=f"{vendor.upper()}.*_API_KEY"):
        registry.language_model(f"{vendor}:x", Settings())


def test_azure_without_an_address_says_how_to_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k-test")
    monkeypatch.delenv("AZURE_OPENAI_ENDPOINT", raising=False)

    with pytest.raises(SettingsError, match="AZURE_OPENAI_ENDPOINT"):
        registry.language_model("azure:x", Settings())


def test_embedders_by_name() -> None:
    assert isinstance(registry.embedder(None, Settings())[0], MiniLM)
    assert isinstance(registry.embedder("minilm", Settings(embedder="none"))[0], MiniLM)
    assert registry.embedder(None, Settings(embedder="none")) == (None, [])
    for spec, dimensions in (("hash", 256), ("hash:64", 64)):
        found, warnings = registry.embedder(spec, Settings())
        assert found is not None
        assert (found.dimensions, warnings) == (dimensions, [])


@pytest.mark.parametrize("spec", ["", "bert", "hash:0", "hash:x", "hash:99999", "hash:-1", "hash:²", "minilm:2"])
def test_an_unknown_embedder_is_refused_with_the_known_ones(spec: str) -> None:
    with pytest.raises(SettingsError, match="minilm"):
        registry.embedder(spec, Settings())


def test_memory_is_a_store_of_this_process() -> None:
    assert isinstance(registry.store(":memory:", Settings(), FixedClock()), InMemoryStore)
    assert isinstance(registry.store(None, Settings(store=":memory:"), FixedClock()), InMemoryStore)


@pytest.mark.parametrize(
    "spec", ["postgresql://host/db", "postgres://host/db", "mysql://h/db", "sqlite:///x.db", "", " "]
)
def test_a_store_that_there_is_not_is_refused_without_showing_its_address(spec: str) -> None:
    with pytest.raises(SettingsError, match=r"memory\.db") as caught:
        registry.store(spec, Settings(), FixedClock())

    assert "host" not in str(caught.value)


def test_a_path_is_an_sqlite_file(tmp_path: Path) -> None:
    store = registry.store(tmp_path / "m.db", Settings(), FixedClock())
    store.close()

    assert (tmp_path / "m.db").is_file()


def test_the_default_store_lies_in_the_data_home_which_is_made_for_the_owner_alone(tmp_path: Path) -> None:
    store = registry.store(None, Settings(), FixedClock())
    store.close()

    folder = tmp_path / "data" / "perdure"
    assert (folder / "memory.db").is_file()
    assert folder.stat().st_mode & 0o077 == 0


def test_a_data_home_that_cannot_be_made_is_a_settings_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))

    with pytest.raises(SettingsError, match="name a store file elsewhere"):
        registry.store(None, Settings(), FixedClock())
