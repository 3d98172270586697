"""What reading a real model costs: `make bench-models`.

First the providers alone, each beside its SDK read the usual way, in turns, in one process: CPU for 1,000 chunks, and
the time until the first text with a long history. Then whole turns: a served Sluice, which stores all of it, beside a
bare loop that stores nothing; CPU of the server for a turn, and when the first word is on the socket.
Ends with 1 if a goal was missed.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import django

from tests.bench.processes import started
from tests.served.up import two_free_ports

CHUNKS, ROUNDS, HISTORY = 1_000, 12, 200
TURNS, TURN_CHUNKS = 60, 200
Read = Callable[[str], AsyncIterator[str]]


async def providers_alone(model_port: int) -> list[tuple[str, float, float]]:
    """(what, CPU milliseconds for 1,000 chunks, milliseconds to the first text with a long history) of each reader."""
    from tests.bench.readers import readers

    ways = readers(f"http://127.0.0.1:{model_port}", HISTORY)
    cpu: dict[str, list[float]] = {name: [] for name in ways}
    first: dict[str, list[float]] = {name: [] for name in ways}
    for nth in range(ROUNDS + 2):
        for name, read in ways.items():
            begun = time.process_time()
            await read_all(read, CHUNKS)
            spent = time.process_time() - begun
            until_first = await to_first(read)
            if nth >= 2:
                cpu[name].append(spent * 1000)
                first[name].append(until_first * 1000)
    return [(name, statistics.median(cpu[name]), statistics.median(first[name])) for name in ways]


async def read_all(read: Read, chunks: int) -> None:
    said = "".join([text async for text in read(f"[n={chunks}]")])
    assert said.split() == ["word"] * chunks, f"{len(said.split())} of {chunks} chunks arrived"


async def to_first(read: Read) -> float:
    begun = time.perf_counter()
    stream = read("[n=1]")
    await anext(stream)
    waited = time.perf_counter() - begun
    async for _ in stream:
        pass
    return waited


async def whole_turns(folder: Path, model_port: int) -> list[tuple[str, float, float]]:
    """(what, CPU milliseconds a turn, milliseconds to the first word) of the bare loop and of Sluice, in turns."""
    from tests.bench.talkers import Talker, bare, sluice

    # The served one first: it takes long to start, and the bare loop lets go of who does not answer its pings.
    async with sluice(folder, model_port) as other, bare(model_port) as one:
        talkers: list[Talker] = [one, other]
        found: dict[str, tuple[list[float], list[float]]] = {talker.name: ([], []) for talker in talkers}
        for nth in range(5):
            for talker in talkers:
                begun = talker.cpu()
                firsts = [await talker.turn(f"[n={TURN_CHUNKS}]", TURN_CHUNKS) for _ in range(TURNS // 4)]
                if nth:  # the first round warms both up
                    found[talker.name][0].append((talker.cpu() - begun) * 1000 / len(firsts))
                    found[talker.name][1].extend(firsts)
        return [
            (name, statistics.median(cpu), statistics.median(firsts) * 1000)
            for name, (cpu, firsts) in found.items()
        ]


def told(title: str, rows: list[tuple[str, float, float]], *columns: str) -> None:
    print(f"\n{title}\n{'':30}{columns[0]:>22}{columns[1]:>26}")  # noqa: T201
    for name, cpu, first in rows:
        print(f"{name:30}{cpu:>22.2f}{first:>26.2f}")  # noqa: T201


def main() -> int:
    port = two_free_ports()
    with TemporaryDirectory() as folder, started("tests.bench.model_server", str(port), port=port):
        alone = asyncio.run(providers_alone(port))
        told("Providers alone", alone, "CPU ms, 1,000 chunks", "ms to first (200 messages)")
        turns = asyncio.run(whole_turns(Path(folder), port))
        told(f"Whole turns of {TURN_CHUNKS} chunks", turns, "CPU ms a turn", "ms to first word")
    return int(missed(alone, turns))


def missed(alone: list[tuple[str, float, float]], turns: list[tuple[str, float, float]]) -> bool:
    """The goals, as ratios within this run."""
    cpu = {name: spent for name, spent, _ in [*alone, *turns]}
    ratios = {
        "OpenAI, CPU beside the SDK": cpu["OpenAI: Sluice"] / cpu["OpenAI: SDK"],
        "Gemini, CPU beside the SDK": cpu["Gemini: Sluice"] / cpu["Gemini: SDK"],
        "a turn, CPU beside the bare loop": cpu["Sluice"] / cpu["bare loop"],
    }
    for name, ratio in ratios.items():
        print(f"{name}: {ratio:.2f} (goal: at most 1)")  # noqa: T201
    return any(ratio > 1 for ratio in ratios.values())


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "platform_site.settings")
    django.setup()
    sys.exit(main())
