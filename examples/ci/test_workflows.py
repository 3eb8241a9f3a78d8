"""Runs the workflows as GitHub or GitLab does: reads the files, and runs their steps by bash in a copy of this folder.
Steps that do not run here are marked in the code."""

import glob
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import quadrille
import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: Wheel for `pip install`; without one, the tests use the installed package.
WHEEL = glob.glob(os.path.join(os.environ.get("CHECKED_WHEEL", "/nowhere"), "quadrille_gpu-*.whl"))


class Loader(yaml.SafeLoader):
    """Reads YAML in which `on` is a word and not a truth value."""


Loader.yaml_implicit_resolvers = {
    letter: [row for row in rows if row[0] != "tag:yaml.org,2002:bool"]
    for letter, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read(name):
    return yaml.load((HERE / name).read_text(), Loader)


@pytest.fixture
def project(tmp_path):
    """A repository of a program, with its shaders and tests."""
    for name in ("shaders", "tests"):
        shutil.copytree(HERE / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "pygfx_scene.py", tmp_path)
    return tmp_path


def bash(command, folder, **env):
    home = folder / "home"
    (home / "wheels").mkdir(parents=True, exist_ok=True)
    if WHEEL:
        shutil.copy(WHEEL[0], home / "wheels")
        env["QUADRILLE"] = Path(WHEEL[0]).as_uri()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), **env}
    env |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "1"}
    ran = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", command],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout[-3000:]}"
    return ran.stdout


def is_run_here(command):
    """True unless the command installs system packages or, without a wheel, the package: both are here already."""
    if command.startswith("sudo apt-get"):
        return False
    return bool(WHEEL) or "QUADRILLE" not in command


@pytest.mark.parametrize("name", sorted(p.name for p in (HERE / "github").iterdir()))
def test_workflows_of_github_are_well_formed(name):
    workflow = read(f"github/{name}")
    assert set(workflow) <= {"name", "on", "env", "jobs"} and workflow["on"]
    for job in workflow["jobs"].values():
        assert re.fullmatch(r"ubuntu-\d\d\.\d\d", job["runs-on"])
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            if "uses" in step:
                ours = re.fullmatch(r"OWNER/quadrille/(\S+)@v\d+\.\d+\.\d+", step["uses"])
                assert ours or re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]), step
                assert not ours or (ROOT / ours[1] / "action.yml").is_file()
            else:
                subprocess.run(["bash", "-n", "-c", re.sub(r"\$\{\{.*?\}\}", "1", step["run"])], check=True)
            for used in re.findall(r"\$\{\{ *matrix\.(\w+) *\}\}", str(step)):
                assert used in job["strategy"]["matrix"]


def test_shader_tests_of_github(project):
    workflow = read("github/shader-tests.yml")
    job = workflow["jobs"]["pytest"]
    names = []
    for shard in job["strategy"]["matrix"]["shard"]:
        for step in job["steps"]:
            if "run" in step and is_run_here(step["run"]):
                bash(re.sub(r"\$\{\{ *matrix\.shard *\}\}", str(shard), step["run"]), project)
        uploaded = next(s["with"]["path"].split() for s in job["steps"] if "upload" in s.get("uses", ""))
        assert uploaded[0] == "report.xml"
        names += [case.get("name") for case in ElementTree.parse(project / "report.xml").iter("testcase")]
    assert len(names) == len(set(names)) >= 6


def has_command():
    """The command `quadrille` with its subcommand `test`."""
    if not shutil.which("quadrille"):
        return False
    return subprocess.run(["quadrille", "test", "--help"], capture_output=True).returncode == 0


@pytest.mark.skipif(not has_command(), reason="no command `quadrille test`")
def test_the_command_of_github(project):
    job = read("github/shader-tests.yml")["jobs"]["command"]
    names = []
    for shard in job["strategy"]["matrix"]["shard"]:
        for step in job["steps"]:
            if "run" in step:
                bash(re.sub(r"\$\{\{ *matrix\.shard *\}\}", str(shard), step["run"]), project)
        assert (project / "report.html").is_file()
        names += [case.get("name") for case in ElementTree.parse(project / "report.xml").iter("testcase")]
    assert sorted(names) == ["a mean of three", "one value"]


@pytest.mark.skipif(not has_command(), reason="no command `quadrille test`")
def test_a_release_of_github(project):
    """The command is that of the release; packaging/test_packages.py installs it as the action does."""
    (command,) = [step["run"] for step in read("github/setup.yml")["jobs"]["test"]["steps"] if "run" in step]
    bash(command, project)
    names = [case.get("name") for case in ElementTree.parse(project / "report.xml").iter("testcase")]
    assert sorted(names) == ["a mean of three", "one value"]


def test_a_failure_leaves_its_pictures(project):
    golden = next(project.glob("tests/goldens/*/*.png"))
    picture = quadrille.read_picture(golden)
    picture[3, 4] = 255 - picture[3, 4]
    quadrille.write_picture(golden, picture)
    job = read("github/shader-tests.yml")["jobs"]["pytest"]
    command = next(step["run"] for step in job["steps"] if step.get("name") == "Test")
    with pytest.raises(AssertionError, match="1 pixels differ"):
        for shard in (1, 2):
            bash(re.sub(r"\$\{\{.*?\}\}", str(shard), command), project)
    found = {p.name.split(".")[1] for p in project.glob("failures/*/*.png")}
    assert found == {"actual", "expected", "diff"}


def test_pygfx(project):
    pytest.importorskip("pygfx")
    if not quadrille.vulkan.has_loader():
        pytest.skip("no Vulkan loader (libvulkan1)")
    printed = ""
    for step in read("github/pygfx.yml")["jobs"]["pictures"]["steps"]:
        if "run" in step and is_run_here(step["run"]):
            printed += bash(step["run"], project)
    assert "Quadrille" in printed.splitlines()[-1]
    picture = quadrille.read_picture(project / "scene.png")
    # The background, and a ball lit from the upper left.
    assert picture.shape == (120, 160, 4) and picture[2, 2, :3].tolist() == [0x20, 0x40, 0x60]
    assert picture[45, 65, 0] > picture[80, 100, 0] > 0


def test_wgpu_is_a_test_of_cargo():
    """The step runs tests with cargo; conformance/clients/run.py runs the same tests."""
    (step,) = [s for s in read("github/wgpu.yml")["jobs"]["test"]["steps"] if "run" in s]
    assert step["run"] == "cargo test --locked"
    shown = re.search(r"conformance/\S*\w", (HERE / "github/wgpu.yml").read_text())
    assert list((ROOT / shown[0]).glob("tests/*.rs"))
    assert 'package = "quadrille-vulkan"' in (ROOT / shown[0] / "Cargo.toml").read_text()


def test_shader_tests_of_gitlab(project):
    job = read("gitlab.yml")["shader-tests"]
    for index in range(1, job["parallel"] + 1):
        for command in job["before_script"] + job["script"]:
            subprocess.run(["bash", "-n", "-c", command], check=True)
            if is_run_here(command) and not command.startswith("command -v cargo"):
                bash(command, project, CI_NODE_INDEX=str(index), CI_NODE_TOTAL=str(job["parallel"]))
        assert (project / job["artifacts"]["reports"]["junit"]).is_file()


def instructions(text):
    joined = re.sub(r"\\\n\s*", " ", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    return [line.split(None, 1) for line in joined.splitlines() if line.strip()]


def test_dockerfile():
    """Checks, without the Docker daemon, that everything that the file copies and builds exists."""
    stages, packages = [], set()
    for word, rest in instructions((HERE / "Dockerfile").read_text()):
        assert word in {"FROM", "WORKDIR", "COPY", "RUN", "ENTRYPOINT"}, word
        if word == "FROM":
            assert re.fullmatch(r"[a-z]+:[\w.-]+( AS \w+)?", rest), "an image of a stated version"
            stages += rest.split(" AS ")[1:]
        elif word == "COPY" and rest.startswith("--from="):
            stage, source, _ = rest.removeprefix("--from=").split()
            assert stage in stages and source.startswith("/source/target/release/")
        elif word == "RUN":
            subprocess.run(["bash", "-n", "-c", rest], check=True)
            packages |= set(re.findall(r"-p (quadrille\S*)", rest))
    manifests = "".join((ROOT / p / "Cargo.toml").read_text() for p in ("emulator/cli", "emulator/vulkan"))
    assert packages == {"quadrille-cli", "quadrille-vulkan"} and all(f'name = "{p}"' in manifests for p in packages)
    assert 'name = "quadrille"' in manifests and 'name = "vk_quadrille"' in manifests
    assert "1.95" in (ROOT / "Cargo.toml").read_text()
