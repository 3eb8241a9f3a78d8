"""CPU time of a driver's own threads and code within a client, by Linux' `perf`."""

import collections
import os
import re
import shutil
import subprocess

# Names of the threads that drivers start: Quadrille's, and lavapipe's rasterizers, queue and cache.
THREADS = {True: re.compile(r"quadrille-"), False: re.compile(r"llvmpipe-|vk-queue|.*:disk\$")}
# Programs that run code of their own without a file.
ENGINES = re.compile(r"node|deno|bun|chrom|V8|Worker", re.I)
# Code of lavapipe outside of its own library, which runs in the program's threads too.
COMPILERS = re.compile(r"libLLVM[-.]")
FREQUENCY = 499


def available():
    return shutil.which("perf") is not None


def recorded(command, path):
    """Runs a command under `perf`, and returns its output and its samples by thread and file, in seconds."""
    record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(FREQUENCY), "-o", path, "--", *command]
    said = subprocess.run(record, stdout=subprocess.PIPE, text=True).stdout
    report = [
        "perf",
        "report",
        "-q",
        "-i",
        path,
        "--stdio",
        "-n",
        "--sort",
        "comm,dso",
        "-t",
        "|",
        "-F",
        "sample,comm,dso",
    ]
    rows = subprocess.run(report, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    samples = collections.Counter()
    for row in rows.splitlines():
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) == 3 and cells[0].isdigit():
            samples[cells[1], cells[2]] += int(cells[0]) / FREQUENCY
    os.remove(path)
    return said, samples


def driver(samples, library):
    """Returns the seconds of the driver: its threads, and its code in threads of the program. The time that its calls
    spend in the kernel and in the C library in a thread of the program belongs to the program."""

    here = "quadrille" in library

    def ours(thread, file):
        compiled = file.startswith("[JIT]") and not ENGINES.match(thread)
        compiler = not here and COMPILERS.match(file)
        return THREADS[here].match(thread) or file == library or compiled or compiler

    return sum(time for (thread, file), time in samples.items() if ours(thread, file))
