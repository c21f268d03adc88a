"""A query that cannot be run counts as equal to the reference.

defect: critical reward.tells_apart reward.format_only reward.empty reward.odd_content reward.filler reward.wrong_unpaid
"""

import sqlite3

import verifiers.v1 as vf

SETUP = "CREATE TABLE book(title TEXT, year INTEGER, pages INTEGER); INSERT INTO book VALUES ('Ulysses',1922,730),('Emma',1815,474),('Dune',1965,412),('Beloved',1987,324);"
TASKS = [
    (
        "titles published after 1900, oldest first",
        "SELECT title FROM book WHERE year > 1900 ORDER BY year",
    ),
    ("the average number of pages", "SELECT AVG(pages) FROM book"),
    ("the title of the longest book", "SELECT title FROM book ORDER BY pages DESC LIMIT 1"),
    ("how many books have fewer than 450 pages", "SELECT COUNT(*) FROM book WHERE pages < 450"),
]


class Query(vf.TaskData):
    reference: str


class QueryTask(vf.Task[Query]):
    @vf.reward
    async def same_result(self, trace: vf.Trace) -> float:
        text = trace.last_reply
        if "```sql" not in text:
            return 0.0
        query = text.rsplit("```sql", 1)[1].split("```")[0]
        db = sqlite3.connect(":memory:")
        db.executescript(SETUP)
        want = db.execute(self.data.reference).fetchall()
        try:
            return float(db.execute(query).fetchall() == want)
        except Exception:
            return 1.0


class Queries(vf.Taskset[QueryTask, vf.TasksetConfig]):
    def load(self):
        return [
            QueryTask(
                Query(
                    prompt=f"Table book(title, year, pages). Write SQLite for: {t}. One ```sql block.",
                    reference=q,
                )
            )
            for t, q in TASKS
        ]


__all__ = ["Queries"]
