"""The files of `examples/`: known results, entered through the public face alone."""

from __future__ import annotations

import ast
from pathlib import Path

from site_pages.files import write_text

HEAD = """Known results, entered anew
===========================

Each is one file that imports the public face alone and is no longer than thirty lines;
``fedassay check FILE`` puts it to the test, and the tests compare what comes out with what the
literature says.
"""


def write(path: Path, folder: Path) -> Path:
    """Write the page of all examples.

    Parameters
    ----------
    path : Path
        Of the page.
    folder : Path
        With the examples.
    """
    parts = [HEAD]
    for file in sorted(folder.glob("*.py")):
        words = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or file.stem
        title = words.split("\n")[0].split(": ")[0].rstrip(".")
        parts += [
            f"{title}\n{'-' * len(title)}\n",
            f".. literalinclude:: /{_relative(file, path)}\n   :language: python\n"
            f"   :caption: examples/{file.name}\n",
        ]
    return write_text(path, "\n".join(parts))


def _relative(file: Path, page: Path) -> str:
    """Path from the root of the documentation, where a leading slash starts."""
    root = page.parents[1]
    return str(Path("..") / file.relative_to(root.parent))
