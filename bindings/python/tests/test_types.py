"""The types that are published hold, and say what there is."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import context_engine
from context_engine import _native

PACKAGE = Path(context_engine.__file__).parent

SETTINGS = Path(__file__).parent.parent / "pyproject.toml"

OLDER_NAMES = {
    "ContextEngine",
    "ContextBlock",
    "ContextPolicy",
    "Fact",
    "InMemoryStorage",
    "Message",
    "PolicyMode",
    "Priority",
    "SQLiteStorage",
    "Turn",
}


def test_mypy_finds_nothing(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    use = tmp_path / "use.py"
    use.write_text(
        "from context_engine import ContextEngine\n"
        "engine = ContextEngine()\n"
        "messages: list[dict[str, object]] = [dict(m) for m in engine.build_context('s', 'q')]\n"
        "tokens: int = engine.compile_context('s', 'q').tokens\n"
    )
    command = [sys.executable, "-m", "mypy", "--config-file", str(SETTINGS)]
    command += ["--cache-dir", str(tmp_path / "cache")]
    command += ["-p", "context_engine"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from context_engine import ContextEngine\nContextEngine().build_context(1, 'q')\n")
    for file, code in ((use, 0), (wrong, 1)):
        done = subprocess.run([*command[:-2], str(file)], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == code, done.stdout


def test_the_stub_names_all_that_is_there() -> None:
    tree = ast.parse((PACKAGE / "_native.pyi").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            stub = {entry.name for entry in node.body if isinstance(entry, ast.FunctionDef)}
            there = {name for name in vars(getattr(_native, node.name)) if not name.startswith("__")}
            assert {name for name in stub if not name.startswith("__")} == there, node.name
    functions = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert functions | {"VERSION"} == {name for name in dir(_native) if not name.startswith("__")}


def test_the_names() -> None:
    assert set(context_engine.__all__) <= set(dir(context_engine))
    assert OLDER_NAMES <= set(context_engine.__all__)
    assert (PACKAGE / "py.typed").exists()
