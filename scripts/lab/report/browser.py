"""A browser of rollouts for the HTML page: filter, read, no network, tens of thousands of them.

The table of all rollouts is one JSON array; their messages are gzip-compressed in pieces, of
which one is unpacked when it is read. Only the rows in view exist as elements. Text reaches
the page through `textContent` alone, so that markup in it stays text.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lab.report.page import text

PIECE = 200
"""Rollouts per compressed piece."""


@dataclass(frozen=True)
class Entry:
    """One rollout: task label, outcome (index), total reward, length, and its messages as
    (role, text, tool calls)."""

    task: str
    outcome: int
    reward: float
    length: int
    messages: list[tuple[str, str, str]]


def browser(entries: Iterable[Entry], outcomes: tuple[str, ...], note: str = "") -> str:
    """The browser as HTML; `note` says what was left out."""
    rows, pieces, piece = [], [], []
    for entry in entries:
        rows.append([entry.task, entry.outcome, _finite(entry.reward), entry.length])
        piece.append(entry.messages)
        if len(piece) == PIECE:
            pieces.append(_packed(piece))
            piece = []
    if piece:
        pieces.append(_packed(piece))
    data = _script({"rows": rows, "outcomes": outcomes, "piece": PIECE})
    choices = "".join(f'<option value="{i}">{text(name.replace("_", " "))}</option>' for i, name in enumerate(outcomes))
    return (
        f"<h2>Rollouts</h2><style>{STYLE}</style><div id=browser>"
        '<div class=filters><label>outcome <select id=f-outcome><option value="">all</option>'
        f"{choices}</select></label>"
        "<label>task <input id=f-task placeholder='part of its name'></label>"
        "<label>reward from <input id=f-low size=5 inputmode=decimal></label><label>to <input id=f-high size=5 inputmode=decimal></label>"
        "<span id=f-count></span></div>"
        f"<p class=fix>{text(note)}</p>"
        "<div class=panes><div id=list tabindex=0 role=listbox aria-label='rollouts'><div id=space></div></div><div id=talk><p class=fix>choose a rollout on the left to read it</p></div></div></div>"
        f'<script type="application/json" id=rollout-rows>{data}</script>'
        f'<script type="application/json" id=rollout-pieces>{json.dumps(pieces)}</script>'
        f"<script>{SCRIPT}</script>"
    )


def _packed(piece: list[Any]) -> str:
    raw = json.dumps(piece, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(raw, 6, mtime=0)).decode()


def _finite(value: float) -> float | None:
    return round(float(value), 6) if value == value and abs(value) < 1e300 else None


def _script(value: Any) -> str:
    """JSON that cannot end its script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")


STYLE = """
.filters { display: flex; gap: 1rem; flex-wrap: wrap; align-items: center } .filters input, .filters select { font: inherit }
.panes { display: grid; grid-template-columns: minmax(18rem, 2fr) 3fr; gap: 1rem; height: 34rem }
#list, #talk { overflow: auto; border: 1px solid var(--line); border-radius: 6px; position: relative }
#list .row { position: absolute; left: 0; right: 0; height: 28px; line-height: 28px; padding: 0 .5rem; display: flex; gap: .6rem; cursor: pointer; white-space: nowrap }
#list .row span:nth-child(1) { flex: 1; overflow: hidden; text-overflow: ellipsis } #list .row[aria-selected=true] { background: var(--line) }
#talk { padding: .6rem } #talk section { margin-bottom: .8rem } #talk h3 { margin: 0; font-size: .8rem; color: var(--skip) }
#talk pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .2rem 0; unicode-bidi: plaintext }
.o0 { color: var(--pass) } .o1, .o4 { color: var(--fail) } .o2, .o3, .o5 { color: var(--warn) }
figure { margin: 0; display: inline-block } figure svg { max-width: 100%; height: auto }
"""

SCRIPT = r"""
(() => {
  const $ = id => document.getElementById(id);
  const { rows, outcomes, piece } = JSON.parse($('rollout-rows').textContent);
  const pieces = JSON.parse($('rollout-pieces').textContent);
  const list = $('list'), space = $('space'), talk = $('talk'), high = 28, unpacked = new Map();
  let shown = [], chosen = -1, wanted = 0;
  const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
  const visible = s => s.replace(hidden, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
  const make = (tag, text, kind) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = visible(String(text)); if (kind) e.className = kind; return e; };
  const draw = () => {
    const from = Math.max(0, Math.floor(list.scrollTop / high) - 5), to = Math.min(shown.length, from + Math.ceil(list.clientHeight / high) + 10);
    const parts = [];
    for (let k = from; k < to; k++) {
      const i = shown[k], [task, outcome, reward, length] = rows[i], row = make('div', undefined, 'row');
      row.style.top = k * high + 'px'; row.dataset.i = i; row.setAttribute('role', 'option'); row.setAttribute('aria-selected', i === chosen);
      row.append(make('span', task), make('span', reward === null ? '-' : reward), make('span', length < 0 ? '' : length), make('span', outcomes[outcome].replace('_', ' '), 'o' + outcome));
      parts.push(row);
    }
    space.replaceChildren(...parts); space.style.height = shown.length * high + 'px';
  };
  const filter = () => {
    const outcome = $('f-outcome').value, task = $('f-task').value.toLowerCase();
    const number = (id, none) => { const v = parseFloat($(id).value); return Number.isNaN(v) ? none : v; };
    const low = number('f-low', -Infinity), high_ = number('f-high', Infinity), bounded = low > -Infinity || high_ < Infinity;
    shown = [];
    for (let i = 0; i < rows.length; i++) {
      const r = rows[i];
      if (outcome !== '' && r[1] !== +outcome) continue;
      if (task && !r[0].toLowerCase().includes(task)) continue;
      if (bounded && (r[2] === null || r[2] < low || r[2] > high_)) continue;
      shown.push(i);
    }
    $('f-count').textContent = shown.length + ' of ' + rows.length + ' rollouts';
    list.scrollTop = 0; draw();
  };
  const unpack = async n => {
    if (!unpacked.has(n)) {
      const bytes = Uint8Array.from(atob(pieces[n]), c => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
      if (unpacked.size > 20) unpacked.delete(unpacked.keys().next().value);
      unpacked.set(n, JSON.parse(await new Response(stream).text()));
    }
    return unpacked.get(n);
  };
  const open = async i => {
    chosen = i; draw();
    const mine = ++wanted, messages = (await unpack(Math.floor(i / piece)))[i % piece];
    if (mine !== wanted) return;
    const [task, outcome, reward] = rows[i];
    const parts = [make('h3', task + ' · ' + outcomes[outcome].replace('_', ' ') + ' · reward ' + (reward === null ? '-' : reward))];
    if (!messages.length) parts.push(make('p', 'no messages are in the log'));
    for (const [role, text, tools] of messages) {
      const section = make('section'); section.append(make('h3', role || 'message'));
      if (role === 'tool') { const d = make('details'); d.append(make('summary', 'tool result'), make('pre', text)); section.append(d); }
      else section.append(make('pre', text));
      if (tools) { const d = make('details'); d.append(make('summary', 'tool calls'), make('pre', tools)); section.append(d); }
      parts.push(section);
    }
    talk.replaceChildren(...parts); talk.scrollTop = 0;
    talk.dataset.open = i;
  };
  list.addEventListener('scroll', () => requestAnimationFrame(draw));
  list.addEventListener('click', e => { const row = e.target.closest('.row'); if (row) open(+row.dataset.i); });
  list.addEventListener('keydown', e => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key]; if (!step || !shown.length) return;
    e.preventDefault(); const at = Math.min(shown.length - 1, Math.max(0, shown.indexOf(chosen) + step));
    if (at * high < list.scrollTop) list.scrollTop = at * high; else if ((at + 1) * high > list.scrollTop + list.clientHeight) list.scrollTop = (at + 1) * high - list.clientHeight;
    open(shown[at]);
  });
  for (const id of ['f-outcome', 'f-task', 'f-low', 'f-high']) $(id).addEventListener('input', filter);
  filter();
  document.documentElement.dataset.browser = 'ready';
})();
"""
