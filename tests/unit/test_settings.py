"""Arguments go before the environment, it before the file, it before the defaults; and what cannot work is refused."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from perdure.errors import SettingsError
from perdure.settings import Settings, data_home


def load(environment: dict[str, str] | None = None, **arguments: Any) -> Settings:
    return Settings.load(environment=environment or {}, **arguments)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "perdure.toml"
    path.write_text('window = 3\ntop_s = 4\npool = 50\nllm = "openai:small"\n')
    return path


def test_without_anything_given_all_is_the_default() -> None:
    settings = load()

    assert settings == Settings()
    assert set(settings.origin.values()) == {"default"}
    assert set(settings.origin) == {field.name for field in dataclasses.fields(Settings)} - {"origin"}


def test_arguments_go_before_the_environment_before_the_file(file: Path) -> None:
    settings = load({"PERDURE_WINDOW": "5", "PERDURE_TOP_S": "6"}, file=file, window=7)

    assert (settings.window, settings.top_s, settings.pool) == (7, 6, 50)
    assert [settings.origin[name] for name in ("window", "top_s", "pool", "rrf_k")] == [
        "argument", "environment", "file", "default",
    ]  # fmt: skip


def test_the_environment_may_name_the_file(file: Path) -> None:
    assert load({"PERDURE_CONFIG": str(file)}).llm == "openai:small"


def test_a_file_that_is_given_goes_before_the_one_that_the_environment_names(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("window = 9\n")

    assert load({"PERDURE_CONFIG": str(file)}, file=other).window == 9


def test_text_of_the_environment_becomes_the_type_of_the_setting() -> None:
    settings = load({"PERDURE_FLOOR": "0.4", "PERDURE_JOBS": "manual", "PERDURE_RRF_K": "10", "PERDURE_LLM": "5"})

    assert (settings.floor, settings.jobs, settings.rrf_k, settings.llm) == (0.4, "manual", 10.0, "5")


def test_an_empty_variable_is_the_same_as_none() -> None:
    settings = load({"PERDURE_LLM": "", "PERDURE_WINDOW": "", "PERDURE_CONFIG": ""})

    assert settings == Settings()
    assert settings.origin["llm"] == "default"


def test_a_variable_that_is_no_setting_is_left_alone() -> None:
    assert load({"PERDURE_DATA": "somewhere"}) == Settings()


def test_a_whole_number_may_stand_for_a_float() -> None:
    settings = load(rrf_k=10)

    assert isinstance(settings.rrf_k, float)
    assert isinstance(Settings(rrf_k=10).rrf_k, float)


def test_none_clears_what_may_be_none(file: Path) -> None:
    settings = load(file=file, llm=None)

    assert settings.llm is None
    assert settings.origin["llm"] == "argument"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"windw": 5}, "unknown setting 'windw'; known settings are abstain_below"),
        ({"origin": {}}, "unknown setting 'origin'"),
        ({"window": "5"}, "'window' must be int, not str"),
        ({"window": 5.0}, "'window' must be int, not float"),
        ({"window": True}, "'window' must be int, not bool"),
        ({"window": None}, "'window' must be int, not NoneType"),
        ({"rrf_k": "10"}, "'rrf_k' must be float"),
        ({"llm": 5}, "'llm' must be str"),
        ({"fusion": "best"}, "must be one of zscore, rrf, mem0"),
        ({"fusion": ["zscore"]}, "must be one of zscore, rrf, mem0"),
        ({"window": -1}, "0 or more"),
        ({"top_s": 0}, "above 0"),
        ({"busy_timeout_s": -1.0}, "above 0"),
        ({"busy_timeout_s": float("inf")}, "finite"),
        ({"floor": float("nan")}, "finite"),
        ({"rrf_k": 10**400}, "finite"),
        ({"dense_weight": 1.5}, "from 0 to 1"),
        ({"floor": 1.5}, "cosine"),
    ],
)
def test_a_setting_that_cannot_work_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load(**arguments)


def test_settings_built_or_replaced_by_hand_are_checked_too() -> None:
    with pytest.raises(SettingsError, match="'window' must be int"):
        Settings(window="5")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="above 0"):
        dataclasses.replace(Settings(), top_s=0)


@pytest.mark.parametrize(("name", "text"), [("WINDOW", "five"), ("WINDOW", "5.5"), ("RRF_K", "ten")])
def test_a_variable_that_is_no_number_is_named(name: str, text: str) -> None:
    with pytest.raises(SettingsError, match=f"PERDURE_{name} must be a number"):
        load({f"PERDURE_{name}": text})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"window = ", "not valid TOML"),
        (b"\xff\xfe", "not valid TOML"),
        (b"windw = 5", "unknown setting 'windw'"),
        (b"[perdure]\nwindow = 5", "unknown setting 'perdure'"),
        (b'window = "5"', "must be int, not str"),
        (b"window = [5]", "must be int, not list"),
    ],
)
def test_a_file_that_cannot_work_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "perdure.toml"
    path.write_bytes(content)

    with pytest.raises(SettingsError, match=said):
        load(file=path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"missing\.toml.*PERDURE_CONFIG"):
        load(file=tmp_path / "missing.toml")
    with pytest.raises(SettingsError, match="cannot read"):
        load(file=tmp_path)


def test_the_default_store_stands_where_the_desktop_standard_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_home() == tmp_path / "perdure"

    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_home() == tmp_path / ".local" / "share" / "perdure"
