"""Tests of the examples: the same bytes from every engine, even if a worker dies."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import quadrille

HERE = Path(__file__).resolve().parent
SHADER = HERE.parents[1] / "assets/shaders/plasma.frag"
SUITE = HERE.parent / "ci/tests"
sys.path.insert(0, str(HERE))

import engines  # noqa: E402
import render  # noqa: E402
import shards  # noqa: E402
import suite  # noqa: E402

FRAMES = range(5, 13)
SIZE = (96, 54)


@pytest.fixture(autouse=True, scope="module")
def workers_find_the_modules():
    """Lets processes of the engines import the modules beside this file."""
    before = {name: os.environ.get(name) for name in ("PYTHONPATH", "QUADRILLE_THREADS", "RAY_worker_niceness")}
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE), before["PYTHONPATH"]]))
    os.environ["QUADRILLE_THREADS"] = "1"
    # By default, Ray lowers the priority of its workers.
    os.environ["RAY_worker_niceness"] = "0"
    yield
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.update({name: value})


def digests(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def expected(tmp_path_factory) -> dict[str, str]:
    """Frames drawn by this process."""
    folder = tmp_path_factory.mktemp("local")
    drawn = render.render(quadrille.load(SHADER), FRAMES, SIZE, f"{folder}/f_%03d.png")
    assert drawn == len(FRAMES)
    found = digests(folder)
    assert list(found) == [f"f_{n:03}.png" for n in FRAMES] and len(set(found.values())) == len(FRAMES)
    return found


def dying(folder: str, kept: int, frame: render.Frame):
    """Draws a frame in a worker that is killed when it draws frame `kept` for the first time."""
    mark = Path(folder) / "killed"
    if frame.number == kept and not mark.exists():
        mark.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGKILL)
    return frame.number, os.getpid(), render.draw(frame)


@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_a_worker_dies(engine, expected, tmp_path):
    pytest.importorskip({"dask": "distributed"}.get(engine, engine))
    shader = quadrille.load(SHADER)
    frames = [render.Frame(shader, *SIZE, 1, 60.0, n) for n in FRAMES]
    seen: list[int] = []
    task = partial(dying, str(tmp_path), FRAMES[3])
    if engine == "ray":
        task = _importable(task)
    results = engines.results(engine, task, frames, seen.append, engines.Workers(2))

    killed = int((tmp_path / "killed").read_text())
    assert [number for number, _, _ in results] == list(FRAMES), "results come in order"
    assert results[3][1] != killed, "the frame was drawn again, by another process"
    assert seen[-1] == len(FRAMES) and seen == sorted(seen)
    out = tmp_path / "frames"
    out.mkdir()
    for number, _, pixels in results:
        render.write(out / f"f_{number:03}.png", pixels)
    assert digests(out) == expected


def _importable(task):
    """Ray needs a function."""
    folder, kept = task.args

    def run(frame):
        import test_cluster

        return test_cluster.dying(folder, kept, frame)

    return run


def test_resume_draws_what_is_missing(expected, tmp_path):
    shader, output = quadrille.load(SHADER), f"{tmp_path}/f_%03d.png"
    assert render.render(shader, FRAMES[:3], SIZE, output) == 3
    (tmp_path / f"f_{FRAMES[1]:03}.png").unlink()
    assert render.render(shader, FRAMES, SIZE, output, resume=True) == len(FRAMES) - 2
    assert digests(tmp_path) == expected


def test_frames_before_the_end_of_a_run_are_kept(expected, tmp_path, monkeypatch):
    shader, output = quadrille.load(SHADER), f"{tmp_path}/f_%03d.png"
    drawn = render.draw

    def ends(frame):
        if frame.number == FRAMES[3]:
            raise KeyboardInterrupt
        return drawn(frame)

    monkeypatch.setattr(render, "draw", ends)
    with pytest.raises(KeyboardInterrupt):
        render.render(shader, FRAMES, SIZE, output)
    assert list(digests(tmp_path)) == [f"f_{n:03}.png" for n in FRAMES[:3]]
    monkeypatch.undo()
    assert render.render(shader, FRAMES, SIZE, output, resume=True) == len(FRAMES) - 3
    assert digests(tmp_path) == expected


@pytest.mark.parametrize("engine", ["local", "dask", "ray"])
def test_a_suite_in_parts(engine):
    pytest.importorskip({"dask": "distributed", "local": "pytest"}.get(engine, engine))
    if engine == "local":
        report = suite.suite(str(SUITE), 1)
        assert int(report[0].get("tests")) >= 3
    else:
        report = suite.suite(str(SUITE), 3, engine=engine, workers=2)
    whole = suite.suite(str(SUITE), 2)
    names = [(case.get("classname"), case.get("name")) for case in report[0]]
    assert names == [(case.get("classname"), case.get("name")) for case in whole[0]]
    assert report[0].get("failures") == report[0].get("errors") == "0"


def test_a_suite_of_the_command():
    """Runs `quadrille test` in parts; of three parts of two tests, one is empty."""
    command = ("quadrille", "test")
    if not shutil.which("quadrille") or subprocess.run([*command, "--help"], capture_output=True).returncode != 0:
        pytest.skip("no command `quadrille test`")
    # The tests name shaders of a folder beside their own.
    command = (*command, "--allow-path", str(SUITE.parent / "shaders"))
    report = suite.suite(str(SUITE), 3, command=command)
    assert sorted(case.get("name") for case in report[0]) == ["a mean of three", "one value"]
    assert (report[0].get("failures"), report[0].get("errors")) == ("0", "0")


def path_tracer() -> str:
    """The command, if it traces paths."""
    command = os.environ.get("CLUSTER_COMMAND", "quadrille")
    if not shutil.which(command):
        pytest.skip("no command `quadrille`")
    shown = subprocess.run([command, "render", "--help"], capture_output=True, text=True)
    if shown.returncode != 0 or "--path-trace" not in shown.stdout:
        pytest.skip("the command `quadrille` does not render scenes")
    return command


def test_samples_are_split_without_gaps():
    assert shards.split(512, 8) == [(64 * i, 64 * i + 64) for i in range(8)]
    assert shards.split(5, 3) == [(0, 1), (1, 3), (3, 5)]
    assert shards.split(2, 9) == [(0, 1), (1, 2)]


@pytest.mark.parametrize("engine", ["local", "dask", "ray"])
def test_a_picture_in_shards(engine, tmp_path):
    """Shards of the samples add up to the picture of one process, byte for byte."""
    command = path_tracer()
    pytest.importorskip({"dask": "distributed", "local": "pytest"}.get(engine, engine))
    scene = str(HERE.parents[1] / "assets/scenes/room.glb")
    picture = {"samples": 5, "size": "24x16", "options": ["--max-bounces=2"], "command": command}
    shards.shards(scene, f"{tmp_path}/whole.exr", parts=1, **picture)
    shards.shards(scene, f"{tmp_path}/parts.exr", parts=3, engine=engine, **picture)
    assert (tmp_path / "whole.exr").read_bytes() == (tmp_path / "parts.exr").read_bytes()
    with pytest.raises(RuntimeError, match=r"none\.glb"):
        shards.shards(f"{tmp_path}/none.glb", f"{tmp_path}/x.png", parts=1, **picture)


def test_failures_are_reported(tmp_path):
    (tmp_path / "test_bad.py").write_text("def test_good(): pass\ndef test_bad(): assert 0\n")
    report = suite.suite(str(tmp_path), 2)
    assert (report[0].get("tests"), report[0].get("failures")) == ("2", "1")
    ran = subprocess.run([sys.executable, HERE / "suite.py", tmp_path, "--junit", tmp_path / "r.xml"])
    assert ran.returncode == 1 and "<failure" in (tmp_path / "r.xml").read_text()


def test_a_folder_without_tests_is_no_success(tmp_path):
    ran = subprocess.run([sys.executable, HERE / "suite.py", tmp_path], capture_output=True, text=True)
    assert ran.returncode == 5 and "0 tests" in ran.stderr


def test_the_slurm_script(expected, tmp_path):
    """Runs two jobs of the array by bash, with the variables that Slurm sets."""
    script = HERE / "slurm.sbatch"
    subprocess.run(["bash", "-n", script], check=True)
    options = [line for line in script.read_text().splitlines() if line.startswith("#SBATCH")]
    assert any("--array" in o for o in options)
    env = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "SHADER": str(SHADER),
        "OUTPUT": str(tmp_path),
        "SIZE": "{}x{}".format(*SIZE),
        "FRAMES_PER_JOB": "2",
        "CLUSTER_EXAMPLE": str(HERE),
        "SLURM_CPUS_PER_TASK": "1",
    }
    for task in ("3", "4"):
        subprocess.run(["bash", script], check=True, env={**env, "SLURM_ARRAY_TASK_ID": task})
    found = digests(tmp_path)
    assert list(found) == [f"frame_{n:05}.png" for n in (6, 7, 8, 9)]
    assert list(found.values()) == [expected[f"f_{n:03}.png"] for n in (6, 7, 8, 9)]


def test_slurm_takes_the_script():
    """Checks the script by Slurm itself, if Slurm is running."""
    if not shutil.which("sbatch") or subprocess.run(["sinfo"], capture_output=True, timeout=30).returncode != 0:
        pytest.skip("no Slurm")
    command = ["sbatch", "--test-only", "--export=ALL,SHADER=x,OUTPUT=y", HERE / "slurm.sbatch"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0 and "to start at" in ran.stderr, ran.stderr


def test_the_open_job_description(expected, tmp_path):
    """Checks and runs the template by the specification's own tools."""
    pytest.importorskip("openjd.cli")
    command = [str(Path(sys.executable).parent / "openjd")]
    template = HERE / "openjd.yaml"
    subprocess.run([*command, "check", template], check=True, stdout=subprocess.PIPE)
    parameters = {
        "Example": HERE,
        "Shader": SHADER,
        "Output": tmp_path,
        "Size": "{}x{}".format(*SIZE),
        "FramesPerTask": 3,
        "LastTask": 2,
    }
    given = [word for name, value in parameters.items() for word in ("-p", f"{name}={value}")]
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run(
        [*command, "run", template, *given], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert ran.returncode == 0, ran.stdout[-2000:]
    found = digests(tmp_path)
    assert list(found) == [f"frame_{n:05}.png" for n in range(9)]
    assert [found[f"frame_{n:05}.png"] for n in range(5, 9)] == [expected[f"f_{n:03}.png"] for n in range(5, 9)]
