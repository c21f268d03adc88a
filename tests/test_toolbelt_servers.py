"""toolbelt_agent's servers: what their tools do, refuse, and never reach."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from scoring import ROOT, Loaded, worked


@pytest.fixture(scope="module")
def env() -> Loaded:
    return worked("toolbelt_agent")


def apps(env):
    from toolbelt_agent import apps as module

    return module


def use(env, root: Path, tool: str, /, **arguments) -> tuple[str, bool]:
    return asyncio.run(apps(env).call(root, tool, arguments))


def test_there_are_nine_servers_with_about_sixty_tools_in_a_fixed_order(env):
    catalog = apps(env).catalog()
    assert len(apps(env).APPS) == 9 and 60 <= len(catalog) <= 70
    assert [name.split("_")[0] for name in catalog] == sorted(
        (n.split("_")[0] for n in catalog), key=list(apps(env).APPS).index
    )
    assert all(
        tool["description"] and tool["parameters"]["type"] == "object" for tool in catalog.values()
    )


@pytest.mark.parametrize(
    "path", ["../outside.txt", "/../../etc/passwd", "notes/../../outside.txt", "link/outside.txt"]
)
def test_no_tool_leads_out_of_the_workspace(env, tmp_path, path):
    root = tmp_path / "world"
    root.mkdir()
    (tmp_path / "outside.txt").write_text("hidden")
    (root / "link").symlink_to(tmp_path)
    for name, arguments in (
        ("files_read", {"path": path}),
        ("files_write", {"path": path, "text": "x"}),
        ("files_delete", {"path": path}),
    ):
        result, failed = use(env, root, name, **arguments)
        assert failed and "hidden" not in result
    assert (tmp_path / "outside.txt").read_text() == "hidden"


@pytest.mark.parametrize(
    ("calls", "shown"),
    [
        (
            [
                (
                    "documents_create",
                    {"path": "a.docx", "title": "T", "paragraphs": ["one", "two"]},
                ),
                ("documents_insert_paragraph", {"path": "a.docx", "before": 3, "text": "mid"}),
                ("documents_delete_paragraph", {"path": "a.docx", "number": 2}),
                ("documents_add_table", {"path": "a.docx", "rows": [["x", "y"]]}),
                ("documents_read", {"path": "a.docx"}),
            ],
            "1. T\n2. mid\n3. two\ntable:\nx | y",
        ),
        (
            [
                ("sheets_create", {"path": "a.xlsx", "header": ["N", "V"]}),
                ("sheets_append_row", {"path": "a.xlsx", "values": ["p", 1.5]}),
                ("sheets_append_row", {"path": "a.xlsx", "values": ["q", 2]}),
                ("sheets_delete_row", {"path": "a.xlsx", "row": 2}),
                ("sheets_read", {"path": "a.xlsx"}),
            ],
            "1: N | V\n2: q | 2",
        ),
        (
            [
                ("slides_create", {"path": "a.pptx", "title": "T", "bullets": ["b"]}),
                ("slides_add_slide", {"path": "a.pptx", "title": "U", "bullets": []}),
                ("slides_delete_slide", {"path": "a.pptx", "number": 1}),
                ("slides_read", {"path": "a.pptx"}),
            ],
            "1. U / ",
        ),
        (
            [
                ("mail_draft", {"to": ["a@b.example"], "subject": "S", "body": "B"}),
                ("mail_send_draft", {"id": "d001"}),
                ("mail_list_messages", {"box": "sent"}),
            ],
            "s001  a@b.example: S",
        ),
        (
            [
                (
                    "calendar_create_event",
                    {
                        "title": "M",
                        "start": "2026-03-04 09:00",
                        "end": "2026-03-04 10:00",
                        "attendees": [],
                    },
                ),
                ("calendar_find_free", {"day": "2026-03-04", "minutes": 30}),
            ],
            "2026-03-04 10:00 to 2026-03-04 10:30",
        ),
        (
            [
                ("chat_create_channel", {"name": "x"}),
                ("chat_post", {"channel": "x", "text": "hi"}),
                ("chat_pin", {"channel": "x", "number": 1}),
                ("chat_read", {"channel": "x"}),
            ],
            "1. me: hi [pinned]",
        ),
        (
            [
                ("contacts_add", {"name": "A B", "email": "a@b.example"}),
                ("contacts_update", {"name": "a b", "field": "phone", "value": "1"}),
                ("contacts_get", {"name": "A B"}),
            ],
            "A B: email a@b.example, phone 1, company ",
        ),
        (
            [
                ("files_write", {"path": "code/m.py", "text": "def f():\n    return g()\n"}),
                ("code_callers", {"name": "g"}),
            ],
            "code/m.py:2",
        ),
        (
            [
                ("files_write", {"path": "a/b.txt", "text": "x"}),
                ("files_move", {"path": "a/b.txt", "to": "c/d.txt"}),
                ("files_search", {"text": "X"}),
            ],
            "c/d.txt:1: x",
        ),
    ],
)
def test_each_server_does_its_work(env, tmp_path, calls, shown):
    results = [use(env, tmp_path, name, **arguments) for name, arguments in calls]
    assert not any(failed for _, failed in results), results
    assert results[-1][0] == shown


def test_what_cannot_be_done_is_said_and_nothing_is_changed(env, tmp_path):
    for name, arguments in (
        ("nosuch_tool", {}),
        ("files_read", {"path": "none.txt"}),
        ("files_read", {}),
        ("files_read", {"path": "x", "mode": "w"}),
        ("sheets_write_cell", {"path": "a.docx", "cell": "B1", "value": 1}),
        (
            "calendar_create_event",
            {"title": "M", "start": "tomorrow", "end": "later", "attendees": []},
        ),
        ("mail_read", {"id": "i999"}),
    ):
        result, failed = use(env, tmp_path, name, **arguments)
        assert failed and result.startswith("error: "), name
    assert list(tmp_path.iterdir()) == []


def test_a_tool_that_takes_too_long_is_answered_below_the_clients_limit(env, tmp_path, monkeypatch):
    import time

    from toolbelt_agent.apps import files

    module = apps(env)
    monkeypatch.setattr(module, "SECONDS", 0.2)
    monkeypatch.setattr(files, "read_text", lambda file: time.sleep(1))
    (tmp_path / "a.txt").write_text("x")
    result, failed = use(env, tmp_path, "files_read", path="a.txt")
    assert failed and "took more than 0.2 s" in result


@pytest.mark.long
def test_a_server_runs_alone_on_stdio(env, tmp_path):
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def talk() -> tuple[int, str]:
        command = StdioServerParameters(
            command=sys.executable,
            args=["-m", "toolbelt_agent.apps", "files", "--root", str(tmp_path)],
            cwd=ROOT / "environments" / "toolbelt_agent",
        )
        async with Client(stdio_client(command)) as client:
            tools = (await client.list_tools()).tools
            await client.call_tool("files_write", {"path": "a.txt", "text": "from afar"})
            return len(tools), (await client.call_tool("files_read", {"path": "a.txt"})).content[
                0
            ].text

    count, text = asyncio.run(talk())
    assert count == len(apps(env).APPS["files"].TOOLS) and text == "from afar"


def test_the_belt_takes_one_or_several_keeps_their_order_and_has_an_end(env, monkeypatch):
    from toolbelt_agent import belt

    assert belt.MOST == 80
    monkeypatch.setattr(belt, "MOST", 3)
    gateway = belt.Gateway(belt.GatewayConfig())

    def use(tool: str, **arguments) -> str:
        return asyncio.run(getattr(gateway, f"toolbelt_{tool}")(**arguments))

    assert '"mail_draft"' in use("add_tool", names=["mail_draft"])
    assert use("add_tool", names=["chat_post", "files_read", "mail_draft"]).count('"name"') == 3
    assert gateway.state.belt == ["mail_draft", "chat_post", "files_read"]
    assert (
        use("add_tool", names=["files_write"]).startswith("error: the belt holds 3")
        and len(gateway.state.belt) == 3
    )
    assert use("add_tool", names=["files_write", "no_such"]).startswith(
        "error: there is no tool no_such"
    )
    assert use("remove_tool", names=["chat_post"]) == "on the belt: mail_draft, files_read"
    assert "chat_post:" in use("list_tools", app="chat") and "mail_draft:" not in use("list_tools")
    assert gateway.state.counts == {"added": 3}
