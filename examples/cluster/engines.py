"""Engines that run work: this process, Dask, or Ray.

Each takes a function and its inputs, and yields the number of an input and its result as soon as it is there, even if
workers die. `results` returns all of them in the order of the inputs.

A frame or a part of a test suite depends only on its input, so any worker can do it, and repeat it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

Input = TypeVar("Input")
Output = TypeVar("Output")
#: Callback that receives the number of results so far.
Progress = Callable[[int], None]

#: Number of retries of an input on another worker, after its worker dies.
RETRIES = 3


@dataclass(frozen=True)
class Workers:
    """Worker processes of this machine, or those of the cluster at an address."""

    count: int = 1
    address: str | None = None


def local(task: Callable[[Input], Output], inputs: Sequence[Input], _: Workers) -> Iterator[tuple[int, Output]]:
    """One after the other, in this process."""
    for index, one in enumerate(inputs):
        yield index, task(one)


def dask(task: Callable[[Input], Output], inputs: Sequence[Input], on: Workers) -> Iterator[tuple[int, Output]]:
    """On Dask's scheduler."""
    from dask.distributed import Client, LocalCluster, as_completed

    def gather(client: Client) -> Iterator[tuple[int, Output]]:
        # The same input may occur twice, so results are not keyed by their input.
        futures = client.map(task, inputs, pure=False, retries=RETRIES)
        index_of = {future.key: index for index, future in enumerate(futures)}
        for future, result in as_completed(futures, with_results=True):
            yield index_of[future.key], result
            future.release()

    if on.address is not None:
        with Client(on.address) as client:
            yield from gather(client)
        return
    with (
        LocalCluster(n_workers=on.count, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(on.count)
        yield from gather(client)


def ray(task: Callable[[Input], Output], inputs: Sequence[Input], on: Workers) -> Iterator[tuple[int, Output]]:
    """On a Ray cluster."""
    import ray as engine

    if on.address is None:
        # Workers must be able to import the modules beside this one.
        path = os.pathsep.join(filter(None, [os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH")]))
        options = {"num_cpus": on.count, "include_dashboard": False, "runtime_env": {"env_vars": {"PYTHONPATH": path}}}
    else:
        options = {"address": on.address}
    with engine.init(log_to_driver=False, **options):
        remote = engine.remote(max_retries=RETRIES, num_cpus=1)(task)
        index_of = {remote.remote(one): index for index, one in enumerate(inputs)}
        while index_of:
            (ready,), _ = engine.wait(list(index_of), num_returns=1)
            yield index_of.pop(ready), engine.get(ready)


ENGINES: dict[str, Callable[..., Iterator[tuple[int, Any]]]] = {"local": local, "dask": dask, "ray": ray}


def results(
    engine: str, task: Callable[[Input], Output], inputs: Sequence[Input], progress: Progress, on: Workers
) -> list[Output]:
    """All results of an engine, in the order of the inputs."""
    found: dict[int, Output] = {}
    for index, result in ENGINES[engine](task, inputs, on):
        found[index] = result
        progress(len(found))
    return [found[index] for index in range(len(inputs))]
