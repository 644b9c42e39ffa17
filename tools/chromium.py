"""Print the path of a Chromium for the browser tests; install one where none is found.

In this order: the variable CHROMIUM, a browser on the PATH, Playwright's own, Playwright's download,
the system's package manager. Where all fail the program says what to do and exits with 1, so that
the browser tests are never skipped in silence.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HELP = "No Chromium was found and none could be installed. Install one and name it: make test CHROMIUM=path"


def main() -> None:
    for attempt in (named, on_path, of_playwright, download, from_packages):
        if path := attempt():
            return print(path)
    sys.exit(HELP)


def named() -> str | None:
    path = os.environ.get("CHROMIUM")
    if path and not shutil.which(path):
        sys.exit(f"CHROMIUM names {path}, which cannot be run.")
    return path


def on_path() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return shutil.which(playwright.chromium.executable_path)


def download() -> str | None:
    return of_playwright() if run([sys.executable, "-m", "playwright", "install", "chromium"]) else None


def from_packages() -> str | None:
    """Debian and its relatives, as root or with a sudo that asks for no password."""
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    if not shutil.which("apt-get") or (root and not shutil.which("sudo")):
        return None
    run([*apt, "update"])
    return on_path() if run([*apt, "install", "-y", "--no-install-recommends", "chromium"]) else None


def run(command: list[str]) -> bool:
    print("+", *command, file=sys.stderr)
    return subprocess.run(command, stdout=sys.stderr).returncode == 0


if __name__ == "__main__":
    main()
