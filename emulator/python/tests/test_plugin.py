"""The pytest plugin, tested with `pytester`."""

import pytest
import quadrille

TEST = """
    import numpy as np
    import pytest
    import quadrille

    SHADER = "half4 main(float2 p) { return half4(1, p.x / 8, {blue}, 1); }"

    def test_picture(shader_golden):
        shader_golden(quadrille.compile(SHADER.replace("{blue}", "BLUE"), "agsl").render(8, 4))
"""


def make(pytester, blue):
    pytester.makepyfile(test_it=TEST.replace("BLUE", blue))


def test_goldens(pytester, monkeypatch):
    make(pytester, "0")
    monkeypatch.delenv("QUADRILLE_BLESS", raising=False)
    result = pytester.runpytest_subprocess("--quadrille-output=out")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*there is no *test_picture.png; QUADRILLE_BLESS=1 writes it*"])
    assert (pytester.path / "out/test_it/test_picture.actual.png").is_file()

    monkeypatch.setenv("QUADRILLE_BLESS", "1")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    golden = pytester.path / "goldens/test_it/test_picture.png"
    assert quadrille.read_picture(golden)[0, 0].tolist() == [255, 16, 0, 255]

    monkeypatch.delenv("QUADRILLE_BLESS")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    make(pytester, "0.5")
    result = pytester.runpytest_subprocess("--quadrille-output=out", "--junitxml=junit.xml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*32 pixels differ, by up to 128, the first at (0, 0)*"])
    for what, width in (("actual", 8), ("expected", 8), ("diff", 24)):
        path = pytester.path / f"out/test_it/test_picture.{what}.png"
        assert quadrille.read_picture(path).shape == (4, width, 4)
    junit = (pytester.path / "junit.xml").read_text()
    assert 'name="quadrille_diff"' in junit and "32 pixels differ" in junit


def test_methods_of_classes_have_goldens_of_their_own(pytester, monkeypatch):
    pytester.makepyfile(
        test_it="""
        import numpy as np
        class TestDark:
            def test_ground(self, shader_golden):
                shader_golden(np.zeros((2, 2, 4), np.uint8))
        class TestLight:
            class TestSky:
                def test_ground(self, shader_golden):
                    shader_golden(np.full((2, 2, 4), 255, np.uint8))
        """
    )
    monkeypatch.setenv("QUADRILLE_BLESS", "1")
    pytester.runpytest_subprocess().assert_outcomes(passed=2)
    goldens = sorted(path.name for path in (pytester.path / "goldens/test_it").iterdir())
    assert goldens == ["TestDark_test_ground.png", "TestLight_TestSky_test_ground.png"]
    monkeypatch.delenv("QUADRILLE_BLESS")
    pytester.runpytest_subprocess().assert_outcomes(passed=2)


def test_tolerance_and_names(pytester, monkeypatch):
    pytester.makepyfile(
        """
        import numpy as np, os
        OFF = int(os.environ["OFF"])
        def test_several(shader_golden):
            picture = np.full((4, 4, 4), 10 + OFF, np.uint8)
            shader_golden(picture, tolerance=2)
            shader_golden(picture, tolerance=2)
            shader_golden(picture, "named", tolerance=2)
            if OFF:
                picture[0, 0] = 200
                shader_golden(picture, "named", tolerance=2, pixels=1)
        """
    )
    monkeypatch.setenv("OFF", "0")
    monkeypatch.setenv("QUADRILLE_BLESS", "1")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    found = sorted(p.name for p in pytester.path.glob("goldens/*/*.png"))
    assert found == ["named.png", "test_several.png", "test_several_2.png"]
    monkeypatch.delenv("QUADRILLE_BLESS")
    for off, outcome in (("2", {"passed": 1}), ("3", {"failed": 1})):
        monkeypatch.setenv("OFF", off)
        pytester.runpytest_subprocess().assert_outcomes(**outcome)


def test_a_device_of_ones_own(pytester):
    pytester.makepyfile(
        """
        import numpy as np, pytest, quadrille
        from quadrille import pytest_plugin

        seen = []

        @pytest.fixture(autouse=True, scope="module")
        def short():
            pytest_plugin.BUDGET = 0.3

        def test_endless(quadrille_device):
            seen.append(quadrille_device)
            shader = quadrille.compile(
                "@group(0) @binding(0) var<storage, read_write> v: u32;"
                "@compute @workgroup_size(1) fn main() { while (v == 0u) { } }", "wgsl")
            shader.run(1, {"v": np.zeros(1, np.uint32)}, device=quadrille_device)

        def test_innocent(quadrille_device):
            assert quadrille_device not in seen and quadrille_device.lost is None
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*DeviceLostError*main*"])


def test_shards_are_all_the_tests(pytester):
    pytester.makepyfile("import pytest\n@pytest.mark.parametrize('i', range(7))\ndef test_it(i): print('ran', i)")
    for n in (1, 3):
        ran = []
        for k in range(1, n + 1):
            result = pytester.inline_run(f"--quadrille-shard={k}/{n}")
            passed, _, _ = result.listoutcomes()
            ran.append({report.nodeid for report in passed})
        assert len(set.union(*ran)) == 7 and sum(map(len, ran)) == 7
    for wrong in ("0/2", "3/2", "x"):
        assert pytester.inline_run(f"--quadrille-shard={wrong}").ret == pytest.ExitCode.USAGE_ERROR
