"""The distribution: what is shipped, and that its descriptions agree with each other."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import resources

import pytest

from tests.places import ROOT
from verify.catalogue.version import __version__

PACKAGES = ("bounds", "synthetic", "algorithms", "verify", "figures")


@pytest.mark.parametrize("name", ["ledger-1.json", "witness-1.json", "expected-1.json"])
def test_schemas_are_shipped_and_are_schemas(name: str) -> None:
    from jsonschema import Draft202012Validator

    text = (resources.files("verify") / "schema" / name).read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))


def test_project_names_five_packages_and_one_script() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == list(PACKAGES)
    assert project["project"]["scripts"] == {"fedassay": "verify.cli:main"}


def test_readme_has_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()
    assert [line for line in lines if line.startswith("python -m pip")] == [
        "python -m pip install -c constraints.txt -e . && fedassay run",
        'python -m pip install -c constraints.txt -e ".[dev]" && pytest',
    ]


def test_every_dependency_has_an_exact_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [r for group in project["optional-dependencies"].values() for r in group]
    wanted = {_name(r) for r in (*project["dependencies"], *extras)} - {"fedassay"}
    pinned = {
        _name(line)
        for line in (ROOT / "constraints.txt").read_text().splitlines()
        if re.fullmatch(r"[\w.-]+==[\w.]+", line)
    }
    assert wanted <= pinned


def test_citation_has_the_version_of_the_package() -> None:
    assert f"version: {__version__}" in (ROOT / "CITATION.cff").read_text()


def _name(requirement: str) -> str:
    return re.split(r"[\[=<>~!]", requirement)[0].lower().replace("_", "-")
