"""Make the pictures of the documents, in headless Chromium: the HTML report of the demo's
evaluation, and the page of its blind review.

    python demo/picture.py                           after `make demo`: report.png and review.png
    python demo/picture.py --results RUN --out FILE  the report of another run
    python demo/picture.py --review FILE --out FILE  the page of another review

Needs Chromium on PATH (Debian: apt-get install chromium). Exit codes: 0 written, 3 no browser, no
run, or no picture came.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
REPORT, REVIEW = (1100, 940), (1180, 700)
"""Width and height in pixels: the verdict and all plots, without the list of rollouts; one
completion beside the README."""
WALKED = HERE / "work" / "demo-word-problems"
FIRST = "run make demo first, or give"


def report_picture(results: Path, out: Path) -> None:
    """Write the report page of `results` as a PNG; raises SystemExit with a reason."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        # From the run's own folder, so that the page shows no path of the machine that made it.
        check = [
            sys.executable,
            str(HERE.parent / "scripts" / "check_reward_distribution.py"),
            "--results",
            results.name,
            "--html",
            str(page),
            "--quiet",
        ]
        done = subprocess.run(
            check, cwd=results.parent, capture_output=True, text=True, check=False
        )
        if not page.is_file():
            raise SystemExit(
                _missing(
                    f"check_reward_distribution.py exited with {done.returncode}: "
                    f"{done.stdout}{done.stderr}"
                )
            )
        shoot(page, out, REPORT)


def review_picture(page: Path, out: Path) -> None:
    """Write the page of a review as a PNG; raises SystemExit with a reason."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "review.html")
        copy.write_bytes(page.read_bytes())
        shoot(copy, out, REVIEW)


def shoot(page: Path, out: Path, size: tuple[int, int]) -> None:
    """Write a page, alone in its folder, as a PNG; raises SystemExit with a reason."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise SystemExit(_missing("no Chromium on PATH: apt-get install chromium"))
    shot = page.with_suffix(".png")
    line = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        f"--user-data-dir={page.parent}/profile",
        f"--window-size={size[0]},{size[1]}",
        f"--screenshot={shot}",
        page.as_uri(),
    ]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    if not shot.is_file():
        raise SystemExit(_missing(f"{browser} wrote no picture: {done.stderr[-500:]}"))
    out.write_bytes(shot.read_bytes())
    print(f"{out}: {size[0]} x {size[1]} pixels")


def _missing(reason: str) -> int:
    print(reason, file=sys.stderr)
    return 3


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--results", type=Path, help="a run folder (the demo's newest)")
    parser.add_argument("--review", type=Path, help="the page of a review (the demo's)")
    parser.add_argument("--out", type=Path, help="where it is written (beside this file)")
    args = parser.parse_args()
    if not args.review:
        kept = (WALKED / "outputs").glob("*")
        run = args.results or max(kept, key=lambda path: path.stat().st_mtime, default=None)
        if run is None or not run.exists():
            return _missing(f"there is no run to picture: {FIRST} --results RUN")
        report_picture(run.resolve(), args.out or HERE / "report.png")
    if not args.results:
        page = args.review or next(iter(WALKED.glob("reviews/*/review.html")), None)
        if page is None or not page.is_file():
            return _missing(f"there is no review to picture: {FIRST} --review FILE")
        review_picture(page, args.out if args.review and args.out else HERE / "review.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
