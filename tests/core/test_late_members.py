"""What is loaded for a study: the members that it names, and no library that only computing needs."""

import json
import subprocess
import sys

import pytest

_LOADED = "; import json, sys; print(json.dumps(sorted(sys.modules)))"
_STUDY = """
schema_version = 4
name = "plate"

[[bodies]]
name = "plate"
model.path = "plate.inp"

[[analyses]]
kind = "modes"
name = "modes"
body = "plate"
"""


def _loaded_by(code: str, folder) -> set[str]:
    """Return the modules that a fresh process has loaded after some code."""
    done = subprocess.run(
        [sys.executable, "-c", code + _LOADED], capture_output=True, text=True, cwd=folder, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_a_member_that_is_asked_for_does_not_load_the_others(tmp_path):
    package = "faying.joints.friction_laws"
    loaded = _loaded_by(f"from {package} import friction_laws; friction_laws['coulomb']", tmp_path)
    assert f"{package}.coulomb" in loaded and f"{package}.bouc_wen" not in loaded
    code = f"from {package} import friction_laws; 'coulomb' in friction_laws; list(friction_laws)"
    assert f"{package}.bouc_wen" in _loaded_by(code, tmp_path)


@pytest.mark.parametrize("kind", ["registry", "bouc_wen.BoucWen", "", "_viscous", "no such law"])
def test_a_kind_that_is_none_is_refused_whatever_module_has_its_name(kind, tmp_path):
    code = f"from faying.joints.friction_laws import friction_laws; assert {kind!r} not in friction_laws"
    assert _loaded_by(code, tmp_path)


def test_info_loads_no_library_that_only_computing_needs(tmp_path):
    (tmp_path / "plate.toml").write_text(_STUDY)
    loaded = _loaded_by("from faying.cli import main; assert main(['info', 'plate.toml']) == 0", tmp_path)
    heavy = ("numba", "pint", "scipy.integrate", "scipy.optimize", "scipy.spatial", "scipy.io", "matplotlib")
    assert not {name for name in heavy if name in loaded}
    assert "faying.analyses.modes" in loaded and "faying.analyses.harmonic_balance" not in loaded
    assert len(loaded) < 1250  # 1176 when this was written
