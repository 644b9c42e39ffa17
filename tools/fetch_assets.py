"""Fetch what the pages are set with into ``.cache/assets``: KaTeX (MIT) and the text font Literata (OFL 1.1).

The book commits neither. ``npm pack`` brings the published packages, whose digests are known, and only
the files that pages use are kept, each beside its licence. A second run does nothing.
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

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / ".cache" / "assets"
# package: (digest, {path inside the package: folder under .cache/assets}); pages load only what is under static/
PACKAGES = {
    "katex@0.16.47": (
        "Eeo8Ys1doU1z+x8AZsPpQu+p/QcZBI5PeOo7QGQdy2x2m0MU/hYagBbGOmXwr5KVbEfVuWv9LpnQWeehogurjg==",
        {
            r"dist/katex\.min\.js": "",
            r"dist/katex\.min\.css": "static/katex",
            r"dist/fonts/[\w-]+\.woff2": "static/katex/fonts",
            r"LICENSE": "static/katex",
        },
    ),
    "@fontsource/literata@5.3.0": (
        "9JGMT5+YfBK49thoMq9ASaMRJErHT4V4QuMhAEwKHRLreOsIMP2xP6ZRLhPJ0e6YlET+kjWTJuN7LAxt9/gWGQ==",
        {
            r"files/literata-latin-(400-normal|400-italic|600-normal)\.woff2": "static/fonts",
            r"LICENSE": "static/fonts",
        },
    ),
}


def main() -> None:
    stamp, wanted = TARGET / "packages.txt", "\n".join(PACKAGES) + "\n"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(TARGET, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        for package, (digest, files) in PACKAGES.items():
            unpack(pack(package, digest, Path(folder)), files)
    css = TARGET / "static/katex/katex.min.css"
    old_formats = r',url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)'
    css.write_text(re.sub(old_formats, "", css.read_text(encoding="utf-8")), encoding="utf-8")
    stamp.write_text(wanted, encoding="utf-8")
    print(f"Fetched into {TARGET.relative_to(ROOT)}: {', '.join(PACKAGES)}")


def pack(package: str, digest: str, folder: Path) -> Path:
    """The published package as npm packs it, checked against its digest."""
    command = [program("npm"), "pack", package, "--silent", "--pack-destination", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stderr}\nnpm could not fetch {package}, which the book needs once, to build.")
    path = folder / done.stdout.strip().splitlines()[-1]
    if base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode() != digest:
        sys.exit(f"{package} arrived with an unexpected digest; nothing was kept of it.")
    return path


def unpack(path: Path, files: dict[str, str]) -> None:
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            name = member.name.removeprefix("package/")
            for pattern, folder in files.items():
                if re.fullmatch(pattern, name):
                    place = TARGET / folder / Path(name).name
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_bytes(archive.extractfile(member).read())


if __name__ == "__main__":
    main()
