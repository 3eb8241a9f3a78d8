"""Makes the archive and the Debian package from the programs of a dev build, installs them in folders, and runs them.

CHECKED_COMMAND names the command; the driver is that of the installed Python package.
"""

import gzip
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import quadrille

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
COMMAND = os.environ.get("CHECKED_COMMAND", shutil.which("quadrille") or "")
needs_command = pytest.mark.skipif(not Path(COMMAND).is_file(), reason="no command has been built")


def run(*words, **variables):
    # Programs of dev builds are large: compressing them like releases takes most of the time of all tests.
    env = {**os.environ, "PACKAGE_COMPRESSION": "1", **variables}
    ran = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=env)
    assert ran.returncode == 0, f"{words}\n{ran.stdout[-2000:]}{ran.stderr[-3000:]}"
    return ran.stdout


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    out = tmp_path_factory.mktemp("archive")
    run(HERE / "archive.sh", COMMAND, quadrille.vulkan.library(), "x86_64-unknown-linux-gnu", out)
    return next(out.glob("quadrille-*.tar.gz"))


@needs_command
def test_the_archive_is_complete(archive):
    with tarfile.open(archive) as files:
        names = {name.split("/", 1)[1] for name in files.getnames() if "/" in name}
    wanted = {
        "bin/quadrille",
        "lib/libvk_quadrille.so",
        "share/vulkan/icd.d/quadrille_icd.json",
        "share/man/man1/quadrille.1",
        "share/man/man1/quadrille-render.1",
        "share/bash-completion/completions/quadrille",
        "share/zsh/vendor-completions/_quadrille",
        "share/fish/vendor_completions.d/quadrille.fish",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "NOTICES.txt",
        "CHANGELOG.md",
        "README.md",
    }
    assert wanted <= names, wanted - names
    assert "share/man/man1/quadrille-manual.1" not in names


@needs_command
def test_the_action_installs_the_archive(archive, tmp_path):
    """The steps after the action find the command, and Vulkan programs find the driver."""
    written = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV")}
    given = {"ARCHIVE": archive, "RUNNER_TOOL_CACHE": tmp_path, "VULKAN": "true", "VERSION": "", "REF": "main"}
    if not quadrille.vulkan.has_loader():
        given["VULKAN"] = "false"
    run(HERE / "setup-quadrille/install.sh", **{k: str(v) for k, v in (written | given).items()})
    folder = written["GITHUB_PATH"].read_text().strip()
    picture = tmp_path / "plasma.png"
    drawn = ["render", ROOT / "assets/shaders/plasma.frag", "--size", "480x270", "--time", "1", "--samples", "16"]
    run(f"{folder}/quadrille", *drawn, "-o", picture)
    assert picture.read_bytes() == (ROOT / "assets/gallery/plasma.png").read_bytes()
    if given["VULKAN"] == "true":
        variables = dict(line.split("=", 1) for line in written["GITHUB_ENV"].read_text().split())
        manifest = Path(variables["VK_DRIVER_FILES"])
        library = json.loads(manifest.read_text())["ICD"]["library_path"]
        assert (manifest.parent / library).is_file()
        if shutil.which("vulkaninfo"):
            assert "Quadrille" in run("vulkaninfo", "--summary", **variables)


@needs_command
def test_the_action_finds_the_loader_in_a_long_list(archive, tmp_path):
    """The loader is first in a list of libraries that no pipe holds, so that nothing is installed."""
    tools = tmp_path / "bin"
    tools.mkdir()
    programs = {
        "ldconfig": "echo libvulkan.so.1\nfor ((i = 0; i < 40000; i++)); do echo libother.so.$i; done",
        "sudo": "exit 1",
        "apt-get": "exit 1",
    }
    for name, script in programs.items():
        (tools / name).write_text(f"#!/bin/bash\n{script}\n")
        (tools / name).chmod(0o755)
    given = {name: str(tmp_path / name) for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV")}
    given |= {"ARCHIVE": str(archive), "RUNNER_TOOL_CACHE": str(tmp_path), "VULKAN": "true", "VERSION": ""}
    run(HERE / "setup-quadrille/install.sh", **given, PATH=f"{tools}{os.pathsep}{os.environ['PATH']}")
    assert "VK_DRIVER_FILES=" in (tmp_path / "GITHUB_ENV").read_text()


@needs_command
@pytest.mark.skipif(not shutil.which("dpkg-shlibdeps"), reason="no dpkg-shlibdeps (dpkg-dev)")
def test_the_debian_package(tmp_path):
    run(HERE / "debian.sh", COMMAND, quadrille.vulkan.library(), "amd64", tmp_path)
    package = next(tmp_path.glob("quadrille_*_amd64.deb"))
    assert "libc6" in run("dpkg-deb", "--field", package, "Depends")
    run("dpkg-deb", "--extract", package, tmp_path / "to")
    manifest = json.loads((tmp_path / "to/usr/share/vulkan/icd.d/quadrille_icd.json").read_text())
    library = Path(manifest["ICD"]["library_path"])
    assert library.is_absolute() and (tmp_path / f"to{library}").is_file()
    # The command finds the driver of the package.
    printed = run(tmp_path / "to/usr/bin/quadrille", "vulkan", "--print-env", XDG_CACHE_HOME=str(tmp_path / "cache"))
    found = json.loads(Path(printed.strip().removeprefix("VK_DRIVER_FILES=")).read_text())["ICD"]["library_path"]
    assert Path(found).samefile(tmp_path / f"to{library}")
    page = gzip.decompress((tmp_path / "to/usr/share/man/man1/quadrille-render.1.gz").read_bytes()).decode()
    assert ".TH quadrille-render 1" in page and "\\-\\-samples" in page
    if shutil.which("lintian"):
        assert run("lintian", "--allow-root", "--fail-on", "error,warning", package) == ""


def test_the_source_distribution_is_complete(tmp_path):
    """Cargo finds all crates in it, and no others."""
    write = "import sys; import quadrille_build as backend; print(backend.build_sdist(sys.argv[1]))"
    at = {"PYTHONPATH": str(ROOT / "emulator/python/backend")}
    ran = subprocess.run(
        [sys.executable, "-c", write, tmp_path],
        cwd=ROOT / "emulator/python",
        env={**os.environ, **at, "SOURCE_DATE_EPOCH": "1234567890"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    packed = tmp_path / ran.stdout.split()[-1]
    # The same sources give the same bytes: the header has no time of its own. Spec: RFC 1952, 2.3.
    assert int.from_bytes(packed.read_bytes()[4:8], "little") == 1234567890
    with tarfile.open(packed) as files:
        files.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.glob("quadrille_gpu-*/")
    where = ["--manifest-path", folder / "emulator/python/Cargo.toml"]
    told = json.loads(run("cargo", "metadata", "--locked", "--offline", "--format-version", "1", *where))
    ours = {Path(package["manifest_path"]) for package in told["packages"] if package["source"] is None}
    assert len(ours) == 15 and all(folder in path.parents for path in ours)
    assert "pyo3" in (folder / "NOTICES.txt").read_text()
    assert (folder / "PKG-INFO").is_file() and not (folder / "conformance").exists()


def test_the_bill_of_materials_names_all_crates():
    bill = json.loads(run("python3", HERE / "sbom.py"))
    names = {component["name"] for component in bill["components"]}
    assert {"quadrille", "quadrille-cli", "quadrille-python", "quadrille-vulkan"} <= names
    assert {"naga", "cranelift-codegen", "glslang-sys", "numpy", "pyo3"} <= names
    assert not names & {"criterion", "proptest", "quadrille-conformance"}
    references = {component["bom-ref"] for component in bill["components"]} | {"quadrille"}
    for row in bill["dependencies"]:
        assert {row["ref"], *row["dependsOn"]} <= references
    assert all("hashes" in c for c in bill["components"] if not c["name"].startswith("quadrille"))


def test_notices_have_the_texts_of_licences():
    text = run("python3", HERE / "notices.py")
    for part in ("naga", "Apache License", "Permission is hereby granted", "glslang", "Redistribution and use"):
        assert part in text
    assert "January 2004" not in run("python3", HERE / "notices.py", "--debian")


def test_notices_are_of_the_crates_in_a_package():
    def crates(*packaged):
        text = run("python3", HERE / "notices.py", *packaged)
        return set(re.findall(r"^  (\S+) \S+: ", text, re.M))

    every, driver = crates(), crates("quadrille-vulkan")
    assert {"ash", "clap", "glslang-sys", "pyo3"} <= every
    assert "ash" in driver and not driver & {"clap", "glslang-sys", "pyo3"}
    assert "pyo3" not in crates("quadrille-cli", "quadrille-vulkan")


def test_texts_that_become_equal_keep_all_crates():
    sys.path.insert(0, str(HERE))
    from notices import debian

    own = "Copyright the authors of this crate, who ask for this line. " * 4
    apache = "Apache License\n{}Version 2.0, January 2004\nTerms.\nEND OF TERMS AND CONDITIONS\n"
    shared = {apache.format(" " * spaces) + own: [f"crate{spaces} 1.0.0"] for spaces in (1, 2)}
    assert "crate1 1.0.0, crate2 1.0.0:" in debian([], shared)


def test_the_wheel_has_the_licences_of_its_crates():
    wheel = importlib.metadata.distribution("quadrille-gpu")
    assert wheel.metadata.get_all("License-File") == ["LICENSE-APACHE", "LICENSE-MIT", "NOTICES.txt"]
    (notices,) = (file for file in wheel.files if file.name == "NOTICES.txt")
    assert notices.read_text() == run("python3", HERE / "notices.py", "quadrille-python")


def test_the_notes_of_a_release_are_its_entry():
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    notes = run(HERE / "notes.sh", f"v{version}")
    assert "### Added" in notes and "## [" not in notes and "https://" not in notes


def test_a_branch_is_not_a_tag():
    """A manual run of the workflow has the name of a branch."""
    run(HERE / "check.sh", "vulkan-fixes", GITHUB_REF_TYPE="branch")
    ran = subprocess.run(
        [HERE / "check.sh", "v0.0.1"], env={**os.environ, "GITHUB_REF_TYPE": "tag"}, capture_output=True
    )
    assert ran.returncode == 1 and b"the tag v0.0.1 is not the version" in ran.stderr


def test_all_manifests_have_the_version_of_vulkan():
    of_wheel = json.loads(quadrille.vulkan.manifest().read_text())["ICD"]["api_version"]
    of_npm = re.search(r"api_version: '(.*)'", (ROOT / "emulator/npm/build.js").read_text())[1]
    assert of_npm == of_wheel


def test_nothing_is_published_before_all_checks():
    """A job waits for those that it needs, unless GitHub leaves one of these out: then it is left out, too."""
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]

    def needed(name):
        needs = jobs[name].get("needs", [])
        direct = {needs} if isinstance(needs, str) else set(needs)
        return direct.union(*map(needed, direct))

    published = {name for name, job in jobs.items() if "ref_type == 'tag'" in job.get("if", "")}
    assert published == {"crates", "npm", "pypi"} and needed("github") >= published
    for name in published:
        assert needed(name) == {"build", "check", "packages", "semver", "try"}
        assert not any("if" in jobs[before] for before in needed(name))
    # The token of a workflow starts no other workflow, so that this one calls the tests of the action.
    assert jobs["action"]["needs"] == "github"
    called = yaml.safe_load((ROOT / jobs["action"]["uses"]).read_text())
    assert "workflow_call" in called[True], "YAML reads `on` as a truth value"


def test_the_recipe_for_conda_can_be_rendered():
    build = pytest.importorskip("rattler_build")
    # Variants that conda-forge pins.
    variants = {
        "c_compiler": ["gcc"],
        "c_stdlib": ["sysroot"],
        "c_stdlib_version": ["2.28"],
        "cxx_compiler": ["gxx"],
        "python": ["3.12.* *_cpython"],
        "python_min": ["3.10"],
        "rust_compiler": ["rust"],
    }
    recipe = build.Stage0Recipe.from_file(str(HERE / "conda/recipe.yaml"))
    (rendered,) = recipe.render(build.VariantConfig(variants))
    got = rendered.recipe.to_dict()
    version = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE).group(1)
    assert got["package"] == {"name": "quadrille", "version": version}
    assert got["source"][0]["url"].endswith(f"/v{version}.tar.gz")
    assert [need.split("_")[0] for need in got["requirements"]["build"]] == ["gcc", "gxx", "rust", "sysroot"]
    for file in got["about"]["license_file"]:
        assert (ROOT / file).is_file() or file == "NOTICES.txt", "the script of the recipe writes the notices"
