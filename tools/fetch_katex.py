"""Fetch KaTeX (MIT), which typesets the book's mathematics at build time, into ``.cache/katex``.

The book commits no file of KaTeX. ``npm pack`` brings the published package, whose digest is known. A second
run does nothing.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from node import program

VERSION = "0.16.47"
SHA512 = "Eeo8Ys1doU1z+x8AZsPpQu+p/QcZBI5PeOo7QGQdy2x2m0MU/hYagBbGOmXwr5KVbEfVuWv9LpnQWeehogurjg=="
ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / ".cache" / "katex"
STATIC = TARGET / "static" / "katex"  # what the pages load; katex.min.js stays outside


def main() -> None:
    stamp = TARGET / VERSION
    if stamp.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        package = pack(Path(folder))
        shutil.rmtree(TARGET, ignore_errors=True)
        (STATIC / "fonts").mkdir(parents=True)
        with tarfile.open(package) as archive:
            for member in archive.getmembers():
                unpack(archive, member)
    stamp.touch()
    print(f"KaTeX {VERSION} is in {TARGET.relative_to(ROOT)}")


def pack(folder: Path) -> Path:
    """The published package, checked against its known digest."""
    run = subprocess.run([program("npm"), "pack", f"katex@{VERSION}", "--silent", "--pack-destination", str(folder)])
    package = folder / f"katex-{VERSION}.tgz"
    if run.returncode or not package.exists():
        sys.exit(f"npm could not fetch katex@{VERSION}; see its message above. The book needs it once, to build.")
    if base64.b64encode(hashlib.sha512(package.read_bytes()).digest()).decode() != SHA512:
        sys.exit(f"katex@{VERSION} arrived with an unexpected digest; nothing was installed.")
    return package


def unpack(archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
    """Keep the script, the style sheet (without its older font formats) and the woff2 fonts."""
    name = member.name.removeprefix("package/dist/")
    if name == "katex.min.js":
        (TARGET / name).write_bytes(archive.extractfile(member).read())
    elif re.fullmatch(r"fonts/[\w-]+\.woff2", name):
        (STATIC / name).write_bytes(archive.extractfile(member).read())
    elif name == "katex.min.css":
        css = archive.extractfile(member).read().decode()
        css = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)', "", css)
        (STATIC / name).write_text(css, encoding="utf-8")


if __name__ == "__main__":
    main()
