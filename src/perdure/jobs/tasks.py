"""What jobs do beside the caller's path: refresh S, run a deferred add.  Every task may run twice without harm."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from perdure.errors import ProviderError
from perdure.models import JobRow, Scope, Summary
from perdure.ports import Ports
from perdure.settings import Settings
from perdure.write import summary
from perdure.write.ingest import Started, carry_out
from perdure.write.pipeline import SUMMARY

EXTRACT = "extract"  # the kind of the job that runs a deferred add

Task = Callable[[JobRow, Ports, Settings], None]

_NEWEST = 2**62  # above every message's order
_BACKLOG = 2_000  # messages that one refresh reads at most, the newest (chosen: about 20 prompts)


def refresh_summary(job: JobRow, ports: Ports, settings: Settings) -> None:
    """Refresh S of one full scope tuple from the old S and the messages since; kept after every batch.

    `Summary.messages` is the order, within the partition, of the last message that S has read.
    Without a model there is nothing to do.  Raises ProviderError and StoreError kinds.
    """
    if ports.llm is None:
        return
    scope = Scope(job.tenant, job.payload.get("user"), job.payload.get("agent"), job.payload.get("run"))
    old = ports.store.summary(scope)
    window = ports.store.window(scope, before=_NEWEST, size=_BACKLOG)
    new = summary.readable([message for message in window if message.order > old.messages])
    text = old.text
    for batch in summary.batches(new, chars=settings.exchange_chars, window_chars=settings.window_chars):
        prompt = summary.prompt(text, batch, folder=settings.prompts, window_chars=settings.window_chars)
        text = summary.parse(ports.llm.complete([prompt])[0])
        ports.store.set_summary(scope, Summary(text, ports.clock.now(), batch[-1].order))


def extract_deferred(job: JobRow, ports: Ports, settings: Settings) -> None:
    """Run the pipeline over what a deferred add left to do.

    Raises ProviderError while some exchange is not done, so that the job waits for its next try.
    """
    row = ports.store.operation(job.tenant, job.payload["operation_id"])
    if row.status == "done" or row.undone_by is not None:
        return
    started = Started(row, ports.store.exchanges(job.tenant, row.id))
    row = carry_out(started, ports, settings, policy=job.payload["policy"])
    if row.status != "done":
        why = row.warnings[-1].detail if row.warnings else "the operation says no more"
        raise ProviderError(f"operation {row.id} is {row.status}: {why}")


TASKS: Mapping[str, Task] = {SUMMARY: refresh_summary, EXTRACT: extract_deferred}
