"""An evaluation that is interrupted says how to go on, and its loopback servers stay calm about it."""

from __future__ import annotations

import argparse
import json
import socket
import struct
from http.server import BaseHTTPRequestHandler

from lab.evaluation.one import _interrupted
from lab.loopback import LoopbackServer
from lab.simulate import Answers, Policy, Server, Spec


def test_what_ended_is_kept_and_the_next_command_goes_on_with_it(tmp_path):
    run = tmp_path / "outputs" / "run"
    (run / "configs" / "resolved").mkdir(parents=True)
    (run / "configs" / "resolved" / "eval.json").write_text("{}")
    args = argparse.Namespace(env="environments/mine", suite=None)
    assert isinstance(_interrupted(args, run, 8), KeyboardInterrupt), "nothing is there to go on with"
    (run / "traces.jsonl").write_text("".join(json.dumps({"ok": ok}) + "\n" for ok in (True, True, False, True)))
    said = _interrupted(args, run, 8)
    assert "3 of 8" in said.message and f"environments/mine --resume {run}" in said.fix and said.code == 3
    assert isinstance(_interrupted(argparse.Namespace(env=None, suite="x.toml"), run, 8), KeyboardInterrupt), "a suite goes on by itself"


def test_a_client_that_goes_away_leaves_no_traceback(capfd):
    answers = Answers("1", lambda draw: "2", str, str)
    with Server(Policy(Spec(), [("one?", answers)])) as server:
        port = int(server.url.split(":")[2].split("/")[0])
        for _ in range(3):
            gone = socket.create_connection(("127.0.0.1", port))
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            gone.send(b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 9")
            gone.close()
        with socket.create_connection(("127.0.0.1", port)) as alive:
            alive.sendall(b"GET /v1/models HTTP/1.0\r\n\r\n")
            with alive.makefile("rb") as answer:  # to its end: head and body may come in two pieces
                assert b"simulated" in answer.read()
    assert "Traceback" not in capfd.readouterr().err


def test_an_answer_is_sent_at_once():
    """Held back until the client acknowledges its head, each answer on a kept connection takes 40 ms."""
    with LoopbackServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server, socket.create_connection(server.server_address):
        connection, _ = server.get_request()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
