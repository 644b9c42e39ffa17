"""Serve the built pages on this machine: compressed, cached by the browser, nothing outside the folder.

python tools/serve.py _build/html --port 8000
"""

from __future__ import annotations

import argparse
import gzip
import mimetypes
import posixpath
from email.utils import formatdate
from functools import lru_cache, partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

TEXT = (".html", ".css", ".js", ".json", ".svg", ".txt", ".ipynb", ".md", ".inv", ".map")
PACKED = (*TEXT, ".mjs", ".wasm")
TYPES = {".woff2": "font/woff2", ".js": "text/javascript", ".ipynb": "application/json", ".md": "text/plain"}
TYPES |= {".mjs": "text/javascript", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json"}
POLICY = {".html": "no-cache"}  # a page is asked for again each time, and answered 304 where unchanged
KEEP = "public, max-age=86400"  # its scripts, styles and fonts carry a version in their address


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a folder of pages on this machine.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")
    options = parser.parse_args()
    if not (options.folder / "index.html").is_file():
        parser.exit(1, f"{options.folder} holds no index.html: run make book first\n")
    with server(options.folder, options.port) as served:
        print(f"The book is at http://localhost:{served.server_port}/  (Ctrl-C ends it)", flush=True)
        try:
            served.serve_forever()
        except KeyboardInterrupt:
            print()


def server(folder: Path, port: int = 0, *, verbose: bool = True) -> ThreadingHTTPServer:
    """A server bound to this machine alone; port 0 takes a free one."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, folder.resolve(), verbose))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, folder: Path, verbose: bool, *rest):
        self.folder, self.verbose = folder, verbose
        super().__init__(*rest)

    def do_GET(self):
        path = inside(self.folder, self.path)
        if path is None or not path.exists():
            return self.answer(HTTPStatus.NOT_FOUND, b"Not found\n", {"Content-Type": "text/plain"})
        if path.is_dir():
            address = urlsplit(self.path).path
            if not address.endswith("/"):
                return self.answer(HTTPStatus.MOVED_PERMANENTLY, b"", {"Location": quote(unquote(address)) + "/"})
            path = path / "index.html"
            if not path.is_file():
                return self.answer(HTTPStatus.NOT_FOUND, b"Not found\n", {"Content-Type": "text/plain"})
        status = path.stat()
        tag = f'"{status.st_mtime_ns:x}-{status.st_size:x}"'
        headers = {
            "Content-Type": content_type(path),
            "Cache-Control": POLICY.get(path.suffix, KEEP),
            "Last-Modified": formatdate(status.st_mtime, usegmt=True),
            "ETag": tag,
            "Vary": "Accept-Encoding",
            "X-Content-Type-Options": "nosniff",
        }
        if self.headers.get("If-None-Match") == tag:
            return self.answer(HTTPStatus.NOT_MODIFIED, b"", headers)
        compress = path.suffix in PACKED and "gzip" in self.headers.get("Accept-Encoding", "")
        if compress:
            headers["Content-Encoding"] = "gzip"
        self.answer(HTTPStatus.OK, content(path, tag, compress), headers)

    do_HEAD = do_GET

    def answer(self, status: HTTPStatus, body: bytes, headers: dict[str, str]):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments):
        if self.verbose:
            super().log_message(*arguments)


def inside(folder: Path, address: str) -> Path | None:
    """The file an address names, or None where it would leave the folder, by `..` or by a link."""
    name = unquote(urlsplit(address).path)
    if "\0" in name or "\\" in name:
        return None
    path = (folder / posixpath.normpath("/" + name).lstrip("/")).resolve()
    return path if path == folder or folder in path.parents else None


def content_type(path: Path) -> str:
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if path.suffix in TEXT else kind


@lru_cache(maxsize=256)
def content(path: Path, tag: str, compress: bool) -> bytes:
    data = path.read_bytes()
    return gzip.compress(data, 6) if compress else data


if __name__ == "__main__":
    main()
