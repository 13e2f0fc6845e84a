"""One frozen Settings: every default of perdure, and where each value came from.

Precedence: arguments > environment (PERDURE_<NAME>) > TOML file > defaults.
An unknown key or a value of the wrong type is a SettingsError.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from perdure.errors import SettingsError

Durability = Literal["normal", "full"]
Fusion = Literal["zscore", "rrf", "mem0"]
Sees = Literal["auto", "yes", "no"]
JobMode = Literal["thread", "manual"]
PromptSize = Literal["full", "short"]
Guard = Literal["on", "off"]
Given = Literal["argument", "environment", "file", "default"]


def data_home() -> Path:
    """Return the folder of the default store: $XDG_DATA_HOME/perdure, else ~/.local/share/perdure."""
    root = os.environ.get("XDG_DATA_HOME")
    return (Path(root) if root else Path.home() / ".local" / "share") / "perdure"


@dataclass(frozen=True, slots=True)
class Settings:
    """Every number and switch.  `origin` says where each value came from; see `load`."""

    # The conversation (Mem0 paper, section 2.1 and 3.3: m = 10, s = 10; the rest chosen, see runs/LOG.md)
    window: int = 10  # m: messages before the exchange that extraction reads
    top_s: int = 10  # s: similar memories per candidate
    floor: float | None = None  # cosine of "semantically similar"; None: the embedder's own
    overlap_floor: float = 0.5  # share of a candidate's terms that counts as similar without a vector
    session_gap_s: float = 14_400.0  # a longer silence starts a new exchange
    summary_every: int = 10  # exchanges between two refreshes of S
    exchange_chars: int = 60_000  # of one exchange that extraction reads, about 15,000 tokens
    window_chars: int = 2_000  # of each earlier message that extraction and the summary read
    entity_threshold: float = 0.9  # cosine of two names of one thing that say more or less the same words; runs/LOG.md
    guard: Guard = "on"  # "off": a merge may drop what was known; to measure what the guard is worth
    max_conflicts: int = 8  # decisions taken again before an exchange is given up for now

    # Reading
    pool: int = 60  # candidates per channel; 100 finds no more of LoCoMo dev's evidence (runs/LOG.md)
    fusion: Fusion = "zscore"  # "rrf" and "mem0" are there for comparison
    dense_weight: float = 0.6  # share of the dense channel, the sparse one has the rest; runs/LOG.md
    rrf_k: float = 60.0
    outdated_weight: float = 0.5  # a score is multiplied by this where what it tells has ended (chosen)
    abstain_below: float = 0.1  # `answer` declines below this confidence; runs/LOG.md
    near_duplicate: float = 0.97  # cosine at which a second hit repeats the first

    # Input
    timezone: str | None = None  # IANA name: of times without one, and of the dates that are shown; None: UTC is shown
    max_message_chars: int = 4_000_000

    # Forgetting
    purge_expired_after_days: float | None = None  # None: what has expired is kept, unseen, until it is erased

    # Models
    llm: str | None = None  # "openai:gpt-4o-mini", "anthropic:...", "ollama:...": docs/how-to/llm.md
    llm_base_url: str | None = None
    llm_api_version: str | None = None  # of an Azure deployment
    llm_timeout_s: float = 60.0
    llm_retries: int = 4
    llm_concurrency: int = 4
    llm_sees: Sees = "auto"  # whether pictures are shown to the model; "auto": by its name
    daily_call_budget: int | None = None  # calls of language models per store and day (UTC); None: no limit
    daily_token_budget: int | None = None  # their tokens, prompts and completions together
    remembered_completions: int = 256  # replies kept so that an equal prompt costs nothing; 0: none (chosen)
    prices: str | None = None  # TOML file whose rows win over the packaged prices
    prompt_size: PromptSize = "full"  # "short": half the tokens and fields, for small models
    embedder: str | None = None  # None: the packaged MiniLM; "multilingual"; "openai:MODEL"; "none": no dense channel
    embedder_base_url: str | None = None  # of "openai:MODEL"; None: OPENAI_BASE_URL, else OpenAI
    embedder_dimensions: int | None = None  # of "openai:MODEL", where it can shorten its vectors; None: its own
    reranker: str | None = (
        None  # "llm"; "cohere:MODEL", "jina:MODEL", "voyage:MODEL"; "endpoint:MODEL" at the address below
    )
    reranker_base_url: str | None = None  # the root that holds /rerank; None: the vendor's own
    prompts: str | None = None  # folder whose NAME.md replaces the prompt of that name

    # Store
    store: str | None = None  # None: memory.db in `data_home()`
    durability: Durability = "normal"  # "full": an fsync per commit, safe against power loss
    busy_timeout_s: float = 30.0
    cache_bytes: int = 268_435_456

    # Jobs
    jobs: JobMode = "thread"  # "manual": only flush() runs them
    job_lease_s: float = 120.0
    job_attempts: int = 5
    job_backoff_s: float = 10.0  # wait before the second try of a job, doubled with each further one

    origin: Mapping[str, Given] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        for name in _NAMES:
            object.__setattr__(self, name, _checked(name, getattr(self, name)))  # an int may stand for a float
        _check_ranges(self)

    @staticmethod
    def load(
        *,
        file: str | Path | None = None,
        environment: Mapping[str, str] | None = None,
        **arguments: Any,  # checked against the fields' types
    ) -> Settings:
        """Return settings from arguments, the environment and a TOML file (PERDURE_CONFIG names one if `file` is None).

        An empty variable is the same as none.  A PERDURE_ variable of another name is not ours to refuse.
        Raises SettingsError on an unknown key, a wrong type, or a file that cannot be read.
        """
        environment = os.environ if environment is None else environment
        given: dict[str, tuple[Any, Given]] = {}

        path = file or environment.get("PERDURE_CONFIG")
        if path:
            given.update({key: (value, "file") for key, value in _read(Path(path)).items()})
        for name in _NAMES:
            text = environment.get(f"PERDURE_{name.upper()}")
            if text:
                given[name] = (_from_text(name, text), "environment")
        given.update({key: (value, "argument") for key, value in arguments.items()})

        unknown = sorted(set(given).difference(_NAMES))
        if unknown:
            raise SettingsError(f"unknown setting {unknown[0]!r}; known settings are {', '.join(sorted(_NAMES))}")
        origin: dict[str, Given] = dict.fromkeys(_NAMES, "default")
        origin.update({name: where for name, (_, where) in given.items()})
        return Settings(origin=origin, **{name: value for name, (value, _) in given.items()})


_NAMES = tuple(f.name for f in fields(Settings) if f.name != "origin")
_TYPES = get_type_hints(Settings)
_POSITIVE = (
    "top_s", "session_gap_s", "summary_every", "pool", "rrf_k", "max_message_chars", "llm_timeout_s",
    "exchange_chars", "window_chars",
    "llm_concurrency", "busy_timeout_s", "cache_bytes", "job_lease_s", "job_attempts", "job_backoff_s",
)  # fmt: skip
_BUDGETS = ("daily_call_budget", "daily_token_budget")
_SHARES = ("overlap_floor", "dense_weight", "outdated_weight", "abstain_below", "near_duplicate", "entity_threshold")


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as err:
        raise SettingsError(f"cannot read the settings file {path}: {err.strerror}; check PERDURE_CONFIG") from err
    except ValueError as err:  # its syntax, or its encoding
        raise SettingsError(f"the settings file {path} is not valid TOML: {err}") from err


def _options(name: str) -> tuple[Any, ...]:
    """Return the parts of a field's type: a union's members, or the type itself."""
    kind = _TYPES[name]
    return get_args(kind) or (kind,)


def _from_text(name: str, text: str) -> Any:
    options = _options(name)
    for kind in (int, float):
        if kind in options:
            try:
                return kind(text)
            except ValueError as err:
                raise SettingsError(f"PERDURE_{name.upper()} must be a number, not {text!r}") from err
    return text


def _checked(name: str, value: Any) -> Any:
    options = _options(name)
    if isinstance(value, int | float) and not isinstance(value, bool) and float in options:
        if not abs(value) <= sys.float_info.max:  # NaN fails too
            raise SettingsError(f"setting {name!r} must be a finite number")
        return float(value)
    if value is None and type(None) in options:
        return None
    if all(isinstance(option, str) for option in options):  # a Literal
        if value in options:
            return value
        raise SettingsError(f"setting {name!r} must be one of {', '.join(options)}, not {value!r}")
    kinds = tuple(option for option in options if option is not type(None))
    if isinstance(value, kinds) and not isinstance(value, bool):
        return value
    expected = " or ".join(kind.__name__ for kind in kinds)
    raise SettingsError(f"setting {name!r} must be {expected}, not {type(value).__name__}")


def _check_ranges(settings: Settings) -> None:
    for name in _POSITIVE:
        if not getattr(settings, name) > 0:
            raise SettingsError(f"setting {name!r} must be above 0, not {getattr(settings, name)}")
    for name in _SHARES:
        if not 0 <= getattr(settings, name) <= 1:
            raise SettingsError(f"setting {name!r} must be from 0 to 1, not {getattr(settings, name)}")
    if settings.embedder_dimensions is not None and settings.embedder_dimensions < 1:
        raise SettingsError(f"setting 'embedder_dimensions' must be above 0, not {settings.embedder_dimensions}")
    if settings.floor is not None and not -1 <= settings.floor <= 1:
        raise SettingsError(f"setting 'floor' is a cosine, from -1 to 1, not {settings.floor}")
    if settings.purge_expired_after_days is not None and settings.purge_expired_after_days < 0:
        raise SettingsError(
            f"setting 'purge_expired_after_days' must be 0 or more, not {settings.purge_expired_after_days}"
        )
    for name in ("window", "max_conflicts", "llm_retries", "remembered_completions", *_BUDGETS):
        if (getattr(settings, name) or 0) < 0:
            raise SettingsError(f"setting {name!r} must be 0 or more, not {getattr(settings, name)}")
