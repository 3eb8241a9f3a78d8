"""Engines that run work: this process, Dask, or Ray.

Each takes a function and its inputs, and returns the results in the order of the inputs, whatever the order of
execution, and even if workers die.

A frame or a part of a test suite depends only on its input, so any worker can do it, and repeat it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
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


def local(task: Callable[[Input], Output], inputs: Sequence[Input], progress: Progress, _: Workers) -> list[Output]:
    """One after the other, in this process."""
    results = []
    for one in inputs:
        results.append(task(one))
        progress(len(results))
    return results


def dask(task: Callable[[Input], Output], inputs: Sequence[Input], progress: Progress, on: Workers) -> list[Output]:
    """On Dask's scheduler."""
    from dask.distributed import Client, LocalCluster, as_completed

    def gather(client: Client) -> list[Output]:
        # The same input may occur twice, so results are not keyed by their input.
        futures = client.map(task, inputs, pure=False, retries=RETRIES)
        for count, _ in enumerate(as_completed(futures), 1):
            progress(count)
        return client.gather(futures)

    if on.address is not None:
        with Client(on.address) as client:
            return gather(client)
    with (
        LocalCluster(n_workers=on.count, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(on.count)
        return gather(client)


def ray(task: Callable[[Input], Output], inputs: Sequence[Input], progress: Progress, on: Workers) -> list[Output]:
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
        references = [remote.remote(one) for one in inputs]
        left = references
        while left:
            _, left = engine.wait(left, num_returns=1)
            progress(len(references) - len(left))
        return engine.get(references)


ENGINES: dict[str, Callable[..., list[Any]]] = {"local": local, "dask": dask, "ray": ray}
