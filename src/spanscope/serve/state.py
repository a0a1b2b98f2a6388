"""All that the server holds while it runs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from spanscope.jsonable import JsonObject
from spanscope.serve.folder import File
from spanscope.serve.limits import Limits


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
    stages: list[str] = field(default_factory=list)  # all so far: a stage can be over before anyone hears of it

    @property
    def over(self) -> bool:
        """Tell whether it has ended, well or not."""
        return self.state in ("done", "failed", "cancelled")


@dataclass
class State:
    """All that the server holds: uploads, jobs, runs; their files lie in one private folder that goes with it."""

    root: Path
    temp: Path
    limits: Limits
    uploads: dict[str, File] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    needs: dict[str, set[str]] = field(default_factory=dict)  # uploads that a job has still to read
    runs: dict[str, JsonObject] = field(default_factory=dict)
    compared: dict[str, JsonObject] = field(default_factory=dict)
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

    def folder(self, *parts: str) -> Path:
        """Return a place in the private folder."""
        return self.temp.joinpath(*parts)
