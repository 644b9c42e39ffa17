"""Put the built book into one zip that opens from disk, with the same bytes for the same pages.

    python tools/pack.py dist [--tag v0.1.0]

With a tag, refuse one that is not the package's version.
"""

from __future__ import annotations

import argparse
import sys
import zipfile
from pathlib import Path

import attention_geometry

SITE = Path(__file__).resolve().parent.parent / "_build" / "html"
LEFT_OUT = {".buildinfo", "objects.inv"}


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("folder", type=Path)
    ask.add_argument("--tag", default="")
    given = ask.parse_args()
    version = attention_geometry.__version__
    if given.tag not in ("", f"v{version}"):
        sys.exit(f"The tag is {given.tag} and the package's version {version}; one of them is wrong.")
    given.folder.mkdir(parents=True, exist_ok=True)
    target = given.folder / f"attention-geometry-book-{version}.zip"
    pack(SITE, target)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


def pack(site: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(site.rglob("*")):
            if path.is_file() and path.name not in LEFT_OUT:
                name = f"{target.stem}/{path.relative_to(site).as_posix()}"
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
