"""The address that stands for a service: the key stays in the tool, and only what an evaluation
needs is passed on, while the address is open."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

import pytest

from lab.process.key_proxy import KeyProxy
from lab.process.loopback import LoopbackServer

KEY = "the-key-of-the-service"


class Service(LoopbackServer):
    """Answers everything, and keeps what it was asked and with which key."""

    def __init__(self) -> None:
        asked: list[tuple[str, str]] = []
        self.asked = asked

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                return

            def do_GET(self) -> None:
                asked.append((f"{self.command} {self.path}", self.headers["Authorization"]))
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            do_POST = do_GET

        super().__init__(("127.0.0.1", 0), Handler)


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.shutdown()


def address(service: Service) -> str:
    return f"http://127.0.0.1:{service.server_address[1]}/api/v1"


def ask(proxy: KeyProxy, method: str, path: str, token: str = "") -> int:
    """The status of one request, with the path as it is: a library would tidy it."""
    place = urlsplit(proxy.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
    headers = {"Authorization": f"Bearer {token or proxy.token}"}
    connection.request(method, path, b"{}" if method == "POST" else None, headers)
    with connection.getresponse() as response:
        response.read()
    connection.close()
    return response.status


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/v1/chat/completions"),
        ("GET", "/api/v1/models"),
        ("GET", "/api/v1/models/Qwen/Qwen3-4B"),
        ("GET", "/api/v1/models?limit=5"),
    ],
)
def test_a_call_of_the_model_gets_the_key_on_its_way(service, method, path):
    with KeyProxy(address(service), {"Authorization": f"Bearer {KEY}"}) as proxy:
        assert ask(proxy, method, path) == 200
        assert KEY not in proxy.url + proxy.token
    assert service.asked == [(f"{method} {path}", f"Bearer {KEY}")]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1/keys"),
        ("POST", "/api/v1/models"),
        ("GET", "/api/v1/models/../keys"),
        ("GET", "/api/v1/models/%2e%2E/keys"),
        ("GET", "/api/v1/models/..%2fkeys"),
        ("GET", "/api/v1/models/%252e%252e/keys"),
        ("GET", "/api/v1/models/..\\keys"),
        ("GET", "/api/v1/modelsofothers"),
        ("GET", "/models"),
        ("POST", "/chat/completions"),
        ("POST", "/api/v1/api/v1/chat/completions"),
    ],
)
def test_nothing_else_is_passed_on(service, method, path):
    with KeyProxy(address(service), {"Authorization": f"Bearer {KEY}"}) as proxy:
        assert ask(proxy, method, path) == 403
    assert service.asked == []


def test_it_is_for_one_evaluation_and_no_longer_than_that(service):
    with KeyProxy(address(service), {"Authorization": f"Bearer {KEY}"}, most=1) as proxy:
        assert ask(proxy, "GET", "/api/v1/models", token="a-guess") == 401
        assert ask(proxy, "GET", "/api/v1/models") == 200
        assert ask(proxy, "GET", "/api/v1/models") == 429
    with pytest.raises(ConnectionError):
        ask(proxy, "GET", "/api/v1/models")
    assert len(service.asked) == 1
