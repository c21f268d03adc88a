"""An address on loopback that stands for somebody's service and adds this user's key.

    with KeyProxy("https://api.example.org/v1", {"Authorization": "Bearer KEY"}) as proxy:
        start(base_url=proxy.url, api_key=proxy.token)     # the key itself stays here

The process that runs an environment gets the address and a word that is good for this address
only, while it is open. It counts what went through, so that a log can be held against it.
"""

from __future__ import annotations

import hmac
import http.client
import re
import secrets
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from lab.process.loopback import LoopbackServer

MODEL_CALLS = (
    r"POST /(chat/completions|completions|responses|messages|embeddings|evaluations)\Z",
    r"GET /models(/[\w.:@/-]+)?\Z",
)
"""What a model's service is asked, below its address."""
LARGEST_REQUEST = 64 << 20
SECONDS = 3600.0
PIECE = 1 << 16
HOP = {
    *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailers"),
    *("transfer-encoding", "upgrade", "host", "content-length", "authorization", "x-api-key"),
}


class KeyProxy:
    """One service. `paths` are patterns of what may be asked of it: a method and a path."""

    def __init__(
        self,
        service: str,
        headers: Mapping[str, str],
        *,
        paths: Iterable[str] = MODEL_CALLS,
        most: int = 1_000_000,
    ):
        self.service, self.headers, self.most = service.rstrip("/"), dict(headers), most
        self._allowed = [re.compile(path) for path in paths]
        self.token = secrets.token_hex(16)
        self.answered = 0
        """Requests with a body that the service has answered well: calls of a model."""
        self.asked = 0
        self.active = 0
        """Requests that are being answered now."""
        self.last = time.monotonic()
        """When a request last came or was answered."""
        self.lock = threading.Lock()
        self._opener = urllib.request.build_opener(_NoRedirect)

    def __enter__(self) -> KeyProxy:
        self._server = LoopbackServer(("127.0.0.1", 0), _handler(self))
        place = urlsplit(self.service)
        address = f"127.0.0.1:{self._server.server_address[1]}"
        self.url = urlunsplit(("http", address, place.path, "", ""))
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def refusal(self, method: str, path: str, given: str) -> tuple[int, str] | None:
        """Status and reason when a request is not passed on."""
        if not hmac.compare_digest(given.encode(), self.token.encode()):
            return 401, "this address is for the evaluation that is running"
        below = self._below(path)
        if not any(allowed.match(f"{method} {below}") for allowed in self._allowed):
            return 403, f"{method} {below} is not passed on to {urlsplit(self.service).hostname}"
        if self.asked >= self.most:
            return 429, f"more than {self.most} requests were made"
        return None

    def _below(self, path: str) -> str:
        """What is asked of the service below its address; "" for what leads out of there, or could
        where somebody reads the path once more than is done here."""
        asked, base = unquote(path.split("?")[0]), urlsplit(self.service).path
        parts = re.split(r"[/\\]", asked)
        if not asked.startswith(f"{base}/") or {".", ".."} & {*parts} or "%" in asked:
            return ""
        return asked.removeprefix(base)

    def open(self, method: str, path: str, headers: dict[str, str], body: bytes | None) -> Any:
        """The service's answer, whichever its status. Raises OSError without one."""
        place = urlsplit(self.service)
        url = urlunsplit((place.scheme, place.netloc, "", "", "")) + path
        request = urllib.request.Request(url, body, {**headers, **self.headers}, method=method)
        try:
            return self._opener.open(request, timeout=SECONDS)
        except urllib.error.HTTPError as answer:
            return answer


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is answered as it is: the key goes to no other place."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _handler(proxy: KeyProxy) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Nothing is printed."""

        def pass_on(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            if length > LARGEST_REQUEST:
                self.close_connection = True
                return self.refuse(413, f"more than {LARGEST_REQUEST >> 20} MB")
            body = self.rfile.read(length) if length else None
            given = self.headers.get("Authorization", "").removeprefix("Bearer ")
            refused = proxy.refusal(
                self.command, self.path, given or self.headers.get("x-api-key", "")
            )
            if refused:
                return self.refuse(*refused)
            with proxy.lock:
                proxy.asked += 1
                proxy.active += 1
                proxy.last = time.monotonic()
            try:
                self.answer(body)
            finally:
                with proxy.lock:
                    proxy.active -= 1
                    proxy.last = time.monotonic()
            return None

        def answer(self, body: bytes | None) -> None:
            kept = {k: v for k, v in self.headers.items() if k.lower() not in HOP}
            try:
                response = proxy.open(self.command, self.path, kept, body)
            except (OSError, http.client.HTTPException) as error:
                return self.refuse(502, f"the service cannot be reached: {error}")
            with response:
                if body and response.status < 400:
                    with proxy.lock:
                        proxy.answered += 1
                self.send_response(response.status)
                for name, value in response.headers.items():
                    if name.lower() not in HOP:
                        self.send_header(name, value)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                while piece := response.read1(PIECE):
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                    self.wfile.flush()
                self.wfile.write(b"0\r\n\r\n")
            return None

        def refuse(self, status: int, reason: str) -> None:
            text = ('{"error": {"message": "%s"}}' % reason.replace('"', "'")).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on

    return Handler
