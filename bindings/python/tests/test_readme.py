"""The programs of the README run as they stand there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def programs() -> list[str]:
    text = (HERE.parent / "README.md").read_text(encoding="utf-8")
    return [block.split("```")[0] for block in text.split("```python\n")[1:]]


def run(program: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_the_sample_answers_its_question(tmp_path: Path) -> None:
    printed = run(programs()[0], tmp_path)
    for wanted in ("Berlin", "Miso", "Nori", "Answer from the conversation only.", "Where do I live now"):
        assert wanted in printed
    assert printed.splitlines()[-1].endswith("Where do I live now, and what are my cats called?")


def test_the_import_takes_an_older_database_over(tmp_path: Path) -> None:
    shutil.copy(HERE / "older.db", tmp_path / "old.db")
    assert "sessions=2, turns=5" in run(programs()[1], tmp_path)
