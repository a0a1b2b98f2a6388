"""All that the server holds while it runs, much of which its store remembers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from spanscope.jsonable import JsonObject
from spanscope.serve.folder import File
from spanscope.serve.limits import Limits
from spanscope.serve.store import Item, Store


@dataclass
class Job:
    """A job as it is told: `state` is waiting, running, done, failed or cancelled."""

    id: str
    kind: str
    name: str
    state: str = "waiting"
    stage: str = ""
    at: int = 0
    of: int = 0
    error: JsonObject | None = None
    page: str | None = None  # where what it made is to be seen
    asked: JsonObject = field(default_factory=dict)  # what it was asked: the form can be filled with it again
    ended: float = 0.0
    stages: list[str] = field(default_factory=list)  # all so far: a stage can be over before anyone hears of it

    @property
    def over(self) -> bool:
        """Tell whether it has ended, well or not."""
        return self.state in ("done", "failed", "cancelled")


@dataclass
class State:
    """All that the server holds: jobs, which go with it; and what its store remembers."""

    root: Path
    store: Store
    limits: Limits
    uploads: dict[str, File] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    needs: dict[str, set[str]] = field(default_factory=dict)  # uploads that a job has still to read
    runs: dict[str, JsonObject] = field(default_factory=dict)
    deleted: dict[str, JsonObject] = field(default_factory=dict)  # runs that can still be had back
    compared: dict[str, JsonObject] = field(default_factory=dict)  # by the ids of their runs
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    slots: asyncio.Semaphore | None = None
    stopping: bool = False

    def tell(self) -> None:
        """Wake up whoever waits for news."""
        self.changed.set()
        self.changed = asyncio.Event()

    async def stop(self) -> None:
        """End streams of news and all jobs: a connection that waits would keep the server from stopping."""
        self.stopping = True
        self.tell()
        tasks = list(self.tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self.store.drop("upload", [item.id for item in self.store.items("upload") if item.head.get("passing")])
        self.store.close()

    def folder(self, *parts: str) -> Path:
        """Return a place in the folder of the store."""
        return self.store.root.joinpath(*parts)


def remember(root: Path, store: Store, limits: Limits) -> State:
    """Return what a server holds when it begins: all that its store remembers."""
    state = State(root, store, limits)
    passing = [item.id for item in store.items("upload") if item.head.get("passing")]
    store.drop("upload", passing)  # left of a server that was killed, and was to leave no texts
    for item in store.items("upload"):
        state.uploads[item.id] = File(
            item.id, *(item.head[name] for name in ("name", "size", "modified", "looks"))
        )
    for item in store.items("run"):
        held = state.runs if item.gone is None else state.deleted
        held[item.id] = head_of(item)
    for item in store.items("compare"):
        state.compared[item.head["key"]] = head_of(item)
    return state


def head_of(item: Item) -> JsonObject:
    """Return what is listed of a run or a comparison."""
    gone = {} if item.gone is None else {"gone": item.gone}
    return {"note": "", **item.head, "id": item.id, "when": item.made, **gone}
