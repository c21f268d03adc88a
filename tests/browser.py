"""A page in a real browser without a window: what a script of the test leaves behind."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome", "chrome")
        if (found := shutil.which(name))
    ),
    None,
)
needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on PATH: apt-get install chromium"
)
WATCH = """<script>
window.trouble = [];
addEventListener('error', e => trouble.push('error: ' + e.message));
addEventListener('unhandledrejection', e => trouble.push('rejection: ' + e.reason));
addEventListener('securitypolicyviolation', 
  e => trouble.push('blocked: ' + e.violatedDirective + ' ' + e.blockedURI));
</script>"""


def sha256_of(script: str) -> str:
    """The hash of an inline script as a page's policy names it."""
    inside = script.removeprefix("<script>").removesuffix("</script>")
    return base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()


def drive(page: Path, steps: str) -> dict:
    """What the JavaScript `steps` leaves in `out`, run in the page after it has loaded."""
    script = f"""<script>(async () => {{
      const out = {{}}, $ = id => document.getElementById(id);
      const set = (id, v) => {{ $(id).value = v; $(id).dispatchEvent(new Event('input')); }};
      const until = async f => {{
        for (let i = 0; i < 2000 && !f(); i++) await new Promise(r => setTimeout(r, 5));
        return f();
      }};
      try {{ {steps} }} catch (e) {{ trouble.push('driver: ' + e); }}
      out.trouble = trouble; out.title = document.title;
      const result = document.createElement('pre'); result.id = 'driven';
      result.textContent = JSON.stringify(out); document.body.append(result);
    }})();</script>"""
    text = page.read_text(encoding="utf-8")
    copy = page.with_suffix(".driven.html")
    # The page's policy names the scripts that may run: these two are added, and no other.
    both = " ".join(f"'sha256-{sha256_of(one)}'" for one in (WATCH, script))
    text = text.replace("script-src ", f"script-src {both} ", 1)
    copy.write_text(
        text.replace("<title>", WATCH + "<title>", 1).replace("</body>", script + "</body>", 1),
        encoding="utf-8",
    )
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            f"--user-data-dir={page.parent / 'profile'}",
            "--virtual-time-budget=60000",
            "--dump-dom",
            copy.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    found = re.search(r'<pre id="driven">(.*?)</pre>', done.stdout, re.S)
    assert found, done.stderr[-2000:]
    return json.loads(html.unescape(found.group(1)))
