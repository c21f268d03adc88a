"""The generator: a populated workspace with a task in it, drawn from a family and a seed.

Twelve families; each draws people, numbers, days and places anew, so there are as many tasks as one
asks for. The same family and draw give the same files, byte for byte.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .office import document, json_file, presentation, spreadsheet
from .rubric import Criterion
from .snapshot import Files

FIRST = "Ada Boris Celia Deniz Elif Farid Greta Hugo Ines Jonas Kira Leon Mina Nils Olga Pavel Rosa Sven Tara Ugo Vera Wim Yara Zoe".split()
LAST = "Adler Brandt Costa Dahl Engel Fiore Grau Holm Ivanov Jansen Keller Lind Moreau Novak Okafor Park Quist Rossi Sato Tamm".split()
COMPANIES = "Aldermoor Brightwell Cedarline Dunmore Eastgate Fernhill Grayson Hollowbrook".split()
FAMILIES: dict[str, Callable[["World"], None]] = {}


@dataclass
class World:
    """A workspace and the task in it, while a family fills it."""

    dice: random.Random
    files: Files = field(default_factory=dict)
    prompt: str = ""
    rubric: list[Criterion] = field(default_factory=list)
    answer: str = "Done."
    gold: list[dict[str, Any]] = field(default_factory=list)
    people: list[dict[str, str]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    inbox: list[dict[str, str]] = field(default_factory=list)
    chat: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def ask(self, prompt: str, *rubric: Criterion, answer: str = "Done.") -> None:
        self.prompt, self.rubric, self.answer = prompt, list(rubric), answer

    def call(self, tool: str, /, **arguments: Any) -> None:
        """One of the gold calls."""
        self.gold.append({"name": tool, "arguments": arguments})

    def day(self) -> str:
        return f"2026-{self.dice.randint(1, 12):02d}-{self.dice.randint(1, 28):02d}"

    def person(self) -> dict[str, str]:
        return self.people[self.dice.randrange(len(self.people))]

    def mail(self, sender: str, subject: str, body: str) -> str:
        """Put a message in the inbox; its id."""
        self.inbox.append({"from": sender, "to": "me", "date": self.day(), "subject": subject, "body": body})
        return f"i{len(self.inbox):03d}"


@lru_cache(maxsize=256)
def build(family: str, draw: str) -> World:
    """The world of one task. Raises KeyError for an unknown family."""
    world = World(random.Random(f"{family}:{draw}"))
    _populate(world)
    FAMILIES[family](world)
    for number, message in enumerate(world.inbox, 1):
        world.files[f"mail/inbox/i{number:03d}.json"] = json_file(message)
    world.files["contacts/contacts.json"] = json_file(world.people)
    world.files["calendar/events.json"] = json_file(world.events)
    for channel, said in world.chat.items():
        world.files[f"chat/{channel}.json"] = json_file({"messages": [{"from": who, "text": text} for who, text in said], "pinned": []})
    return world


def only(*paths: str) -> Criterion:
    return kept(f"Nothing changed except {', '.join(paths)}." if paths else "Nothing was changed.", "only_changed", paths=list(paths))


def deed(text: str, check: str, **args: Any) -> Criterion:
    return Criterion(text=text, check=check, args=args)


def kept(text: str, check: str, **args: Any) -> Criterion:
    """What was there before: true of the untouched workspace, so it counts only beside a deed."""
    return Criterion(text=text, kind="preserve", check=check, args=args)


def says(text: str, *parts: str, never: tuple[str, ...] = ()) -> Criterion:
    return Criterion(text=text, kind="answer", check="answer_says", args={"says": list(parts), "not_says": list(never)})


def _populate(world: World) -> None:
    """What every workspace has, so that a task has to be found among other things."""
    dice = world.dice
    for first, last, company in zip(dice.sample(FIRST, 9), dice.sample(LAST, 9), dice.choices(COMPANIES, k=9), strict=True):
        world.people.append(
            {"name": f"{first} {last}", "email": f"{first}.{last}@{company}.example".lower(), "phone": f"0{dice.randint(20, 99)} {dice.randint(100000, 999999)}", "company": company}
        )
    for subject in dice.sample(["Lunch on Friday?", "Parking permits", "New coffee machine", "Travel policy", "Printer on floor 2", "Photos of the summer party"], 4):
        world.mail(world.person()["email"], subject, "Just so that you know. No answer needed.")
    for n, title in enumerate(dice.sample(["Standup", "Budget talk", "Design review", "Interview", "Retrospective", "Vendor call"], 4), 1):
        hour, day = dice.randint(9, 15), world.day()
        world.events.append({"id": f"e{n:02d}", "title": title, "start": f"{day} {hour:02d}:00", "end": f"{day} {hour + 1:02d}:00", "attendees": [world.person()["name"]]})
    world.chat = {"general": [("Mail bot", "Welcome."), (world.person()["name"], "Morning, all.")], "team": [(world.person()["name"], "Who has the keys?")]}
    world.files |= {
        "notes/todo.md": b"# To do\n\n- water the plants\n- order paper\n",
        "notes/ideas.txt": b"A shorter form for travel.\nFewer meetings.\n",
        "sheets/inventory.xlsx": spreadsheet([["Item", "Count"], ["Chairs", dice.randint(20, 60)], ["Lamps", dice.randint(5, 30)]]),
        **_everywhere(),
        "code/app/__init__.py": b"",
    }


@lru_cache(maxsize=1)
def _everywhere() -> Files:
    return {
        "docs/handbook.docx": document("Handbook", ["Be kind.", "Lock the door in the evening.", "Ask when in doubt."]),
        "slides/welcome.pptx": presentation([("Welcome", ["First day", "Where to find things"])]),
    }


def family(fill: Callable[[World], None]) -> Callable[[World], None]:
    FAMILIES[fill.__name__] = fill
    return fill


@family
def expense_row(world: World) -> None:
    """Spreadsheet: a row from a mail."""
    who, amount, day = world.person(), world.dice.randint(40, 900) + 0.5, world.day()
    purpose = world.dice.choice(["train to the fair", "hotel for two nights", "repair of the projector"])
    rows = [["Date", "Person", "Purpose", "Amount"]] + [[world.day(), world.person()["name"], p, world.dice.randint(10, 300)] for p in ("taxi", "paper", "lunch with a client")]
    world.files["finance/expenses.xlsx"] = spreadsheet(rows)
    world.mail(who["email"], "My expenses", f"Please enter for me: {purpose}, {amount:.2f}, paid on {day}.")
    row = [day, who["name"], purpose, amount]
    world.ask(
        f"{who['name']} reported an expense by mail. Enter it as a new row at the end of finance/expenses.xlsx (date, person, purpose, amount).",
        deed("The expense stands once in finance/expenses.xlsx.", "row", path="finance/expenses.xlsx", values=row),
        kept("All rows that were there are still there.", "rest_of_sheet", path="finance/expenses.xlsx"),
        only("finance/expenses.xlsx"),
    )
    world.call("sheets_append_row", path="finance/expenses.xlsx", values=row)


@family
def contract_rename(world: World) -> None:
    """Document: a new name throughout."""
    old, new = world.dice.sample(COMPANIES, 2)
    texts = [f"This agreement is made with {old} Ltd.", "Goods are paid within 30 days.", f"{old} Ltd delivers to the back door.", f"Complaints go to {old} Ltd in writing."]
    world.files["contracts/agreement.docx"] = document("Agreement", texts)
    done = [text.replace(f"{old} Ltd", f"{new} Group") for text in texts]
    world.ask(
        f"{old} Ltd is now called {new} Group. Put the new name into contracts/agreement.docx wherever the old one stands, and change nothing else.",
        deed("The document has the new name in every place and the old one in none.", "file_says", path="contracts/agreement.docx", says=done, not_says=[old]),
        only("contracts/agreement.docx"),
    )
    world.call("documents_replace_text", path="contracts/agreement.docx", old=f"{old} Ltd", new=f"{new} Group")


@family
def reschedule(world: World) -> None:
    """Calendar and chat: move a meeting and tell the team."""
    event, day = world.dice.choice(world.events), world.day()
    hour = world.dice.randint(9, 15)
    start, end = f"{day} {hour:02d}:30", f"{day} {hour + 1:02d}:30"
    world.ask(
        f"Move the {event['title']} to {day} at {hour:02d}:30; it stays an hour long, with the same people. Then post in the channel team that it moved, naming the day and the time as {day} {hour:02d}:30.",
        deed("The event is at the new time, once, with the same people.", "event", title=event["title"], start=start, end=end, attendees=event["attendees"]),
        deed("One message in team names the meeting, the day and the time.", "posted", channel="team", says=[event["title"], start]),
        kept("Every other event is as before.", "entries_kept", path="calendar/events.json", but=[event["id"]]),
        only("calendar/events.json", "chat/team.json"),
    )
    world.call("calendar_update_event", id=event["id"], start=start, end=end)
    world.call("chat_post", channel="team", text=f"The {event['title']} moved to {start}.")


@family
def reply_draft(world: World) -> None:
    """Mail and contacts: draft an answer with a fact that has to be looked up."""
    asker, about = world.dice.sample(world.people, 2)
    others = [person["phone"] for person in world.people if person is not about]
    id = world.mail(asker["email"], "Phone number", f"Could you tell me the phone number of {about['name']}?")
    world.ask(
        f"Draft an answer to the mail in which {asker['name']} asks for a phone number. Do not send it.",
        deed("There is one new draft to the asker, with the right number and no other.", "message", box="drafts", to=[asker["email"]], says=[about["phone"]], not_says=others),
        only("mail/drafts/"),
    )
    world.call("mail_draft_reply", id=id, body=f"The number of {about['name']} is {about['phone']}.")


@family
def sheet_total(world: World) -> None:
    """Spreadsheet: a sum, written and told."""
    amounts = [world.dice.randint(100, 999) for _ in range(7)]
    path = f"finance/costs-{world.dice.choice(COMPANIES).lower()}-{world.dice.randint(2010, 2026)}.xlsx"
    world.files[path] = spreadsheet([["Month", "Cost"]] + [[f"2026-{n:02d}", amount] for n, amount in enumerate(amounts, 1)])
    world.ask(
        f"Add up the column Cost of {path}. Write the word Total into D1 and the sum as a number into E1, and tell me the sum.",
        deed("D1 says Total and E1 holds the sum.", "cells", path=path, values={"D1": "Total", "E1": sum(amounts)}),
        kept("The costs are as they were.", "cells", path=path, values={f"B{n}": amount for n, amount in enumerate(amounts, 2)}),
        says("The answer states the sum.", str(sum(amounts))),
        only(path),
        answer=f"The sum is {sum(amounts)}.",
    )
    world.call("sheets_write_cell", path=path, cell="D1", value="Total")
    world.call("sheets_write_cell", path=path, cell="E1", value=sum(amounts))


@family
def new_contact(world: World) -> None:
    """Mail and contacts: a person from a signature."""
    taken = {person["name"] for person in world.people}
    name = next(n for n in iter(lambda: f"{world.dice.choice(FIRST)} {world.dice.choice(LAST)}", "") if n not in taken)
    company, phone = world.dice.choice(COMPANIES), f"0{world.dice.randint(20, 99)} {world.dice.randint(100000, 999999)}"
    email = f"{name.split()[0]}@{company}.example".lower()
    world.mail(email, "Nice to meet you", f"It was good to talk at the fair.\n\n{name}\n{company}\nPhone {phone}\n{email}")
    fields = {"email": email, "phone": phone, "company": company}
    world.ask(
        f"Add {name}, who wrote to us after the fair, to the contacts, with mail address, phone and company.",
        deed("The contact is there once, with the fields of the signature.", "contact", name=name, fields=fields),
        kept("Every other contact is as before.", "entries_kept", path="contacts/contacts.json"),
        only("contacts/contacts.json"),
    )
    world.call("contacts_add", name=name, **fields)


@family
def minutes(world: World) -> None:
    """Chat and documents: minutes of what was decided; a judge reads the prose."""
    price, day, person = world.dice.randint(20, 95), world.day(), world.person()["name"]
    product = f"{world.dice.choice(COMPANIES).lower()}-{world.dice.randint(2, 99)}"
    path, channel = f"minutes/{product}.docx", f"launch-{product}"
    world.chat[channel] = [
        (world.person()["name"], "Shall we make it blue?"),
        (person, "We decided: no blue, we stay with green."),
        (world.person()["name"], f"And decided as well: the price is {price} euros."),
        (world.person()["name"], f"Last decision: we launch on {day}."),
        (person, "Whether there is cake is still open."),
    ]
    texts = ["The colour stays green.", f"The price is {price} euros.", f"The launch is on {day}."]
    world.ask(
        f"Write {path} with the title Launch decisions and the three decisions from the chat channel {channel}, one paragraph each. Leave out what is still open.",
        deed("The document has the title and names all three decisions.", "file_says", path=path, says=["Launch decisions", "green", f"{price} euros", day], not_says=["cake"]),
        Criterion(text=f"{path} states the decisions in clear sentences and adds nothing that was not decided: " + " ".join(texts)),
        only(path),
    )
    world.call("documents_create", path=path, title="Launch decisions", paragraphs=texts)


@family
def deck_update(world: World) -> None:
    """Presentations and notes: a figure corrected, a slide added."""
    name = f"quarter-{world.dice.randint(1, 4)}-{world.dice.randint(2010, 2026)}"
    deck, note = f"slides/{name}.pptx", f"notes/{name}.md"
    wrong, right = world.dice.sample(range(110, 990), 2)
    steps = world.dice.sample(["Hire two people", "Open the second shop", "Repair the website", "Train the new staff"], 2)
    world.files[deck] = presentation([("Quarter", [f"Revenue {wrong} thousand", "Costs 88 thousand"]), ("Team", ["Nine people"])])
    world.files[note] = f"Revenue was {right} thousand, not {wrong}.\nNext steps: {steps[0]}; {steps[1]}.\n".encode()
    world.ask(
        f"Bring {deck} up to date with {note}: correct the revenue, and add a last slide titled Next steps with the steps as bullets.",
        deed("The revenue is the right one.", "file_says", path=deck, says=[f"Revenue {right} thousand"], not_says=[f"Revenue {wrong}"]),
        deed("There is a slide Next steps with both steps.", "file_says", path=deck, says=["slide 3: Next steps", *steps]),
        kept("The other text is as before.", "file_says", path=deck, says=["Costs 88 thousand", "slide 2: Team", "Nine people"]),
        only(deck),
    )
    world.call("slides_replace_text", path=deck, old=f"Revenue {wrong}", new=f"Revenue {right}")
    world.call("slides_add_slide", path=deck, title="Next steps", bullets=steps)


@family
def code_question(world: World) -> None:
    """Code search: an answer that stands nowhere but in the code; nothing is to be changed."""
    names = world.dice.sample([f"{verb}_{noun}" for verb in ("load", "print", "apply", "send", "check", "merge") for noun in ("rates", "bill", "tax", "report", "stock", "names")], 4)
    target, caller = names[0], names[1]
    modules = world.dice.sample(["billing", "stock", "reports", "people"], 3)
    world.files[f"code/app/{modules[0]}.py"] = f"def {target}(value):\n    return value * 2\n\n\ndef {names[2]}(value):\n    return value\n".encode()
    world.files[f"code/app/{modules[1]}.py"] = f"from app.{modules[0]} import {target}\n\n\ndef {caller}(items):\n    return [{target}(item) for item in items]\n".encode()
    world.files[f"code/app/{modules[2]}.py"] = f"# {target} is explained in the handbook\n\n\ndef {names[3]}():\n    return '{target}'\n".encode()
    world.ask(
        f"In the code: which function calls {target}, and in which file is {target} defined? Answer with both names; change nothing.",
        says("The answer names the calling function.", caller, never=(names[3], names[2])),
        says("The answer names the file of the definition.", f"{modules[0]}.py", never=(f"{modules[2]}.py",)),
        only(),
        answer=f"{caller} calls it; it is defined in code/app/{modules[0]}.py.",
    )


@family
def tidy_files(world: World) -> None:
    """Files: move what belongs together, delete what is named."""
    year = world.dice.randint(1961, 2024)
    texts = {f"report-{year}-{n}.txt": f"Report {n} of {year}: {world.dice.randint(10, 99)} visitors.\n" for n in (1, 2, 3)}
    world.files |= {f"desk/{name}": text.encode() for name, text in texts.items()}
    world.files |= {f"desk/report-{year + 1}-1.txt": b"Report of the year after.\n", "desk/draft.tmp": b"x\n"}
    world.ask(
        f"Move the reports of {year} from desk/ to archive/{year}/ under their names, and delete desk/draft.tmp. Leave the rest where it is.",
        *[deed(f"{name} is in the archive, unchanged, and no longer on the desk.", "moved", path=f"desk/{name}", to=f"archive/{year}/{name}") for name in texts],
        deed("desk/draft.tmp is deleted, and nothing else is lost.", "deleted", paths=["desk/draft.tmp"]),
        only(f"archive/{year}/", *[f"desk/{name}" for name in texts], "desk/draft.tmp"),
    )
    for name in texts:
        world.call("files_move", path=f"desk/{name}", to=f"archive/{year}/{name}")
    world.call("files_delete", path="desk/draft.tmp")


@family
def meeting(world: World) -> None:
    """Contacts, calendar and mail: find the people, the slot, and invite them."""
    company = world.dice.choice(sorted({person["company"] for person in world.people}))
    guests = [person for person in world.people if person["company"] == company]
    day = "2027-" + world.day()[5:]
    busy = world.dice.randint(1, 3)
    world.events += [{"id": f"e{10 + n}", "title": f"Shift {n + 1}", "start": f"{day} {9 + n:02d}:00", "end": f"{day} {10 + n:02d}:00", "attendees": []} for n in range(busy)]
    start, end = f"{day} {9 + busy:02d}:00", f"{day} {10 + busy:02d}:00"
    world.ask(
        f"Put a meeting titled Kickoff {company} into the calendar, in the first free hour of {day} (from 09:00), with all contacts of {company} as attendees. "
        f"Then draft one mail to all of them with the subject Kickoff that names the time as in the calendar, such as {day} 09:00. Do not send it.",
        deed("The meeting is in the first free hour, with all contacts of the company.", "event", title=f"Kickoff {company}", start=start, end=end, attendees=[p["name"] for p in guests]),
        deed("There is one draft to all of them that names the time.", "message", box="drafts", to=[p["email"] for p in guests], says=["Kickoff", start]),
        kept("Every other event is as before.", "entries_kept", path="calendar/events.json"),
        only("calendar/events.json", "mail/drafts/"),
    )
    world.call("calendar_create_event", title=f"Kickoff {company}", start=start, end=end, attendees=[p["name"] for p in guests])
    world.call("mail_draft", to=[p["email"] for p in guests], subject="Kickoff", body=f"We meet at {start}.")


@family
def invoice_check(world: World) -> None:
    """Spreadsheets and mail: find the difference, ask for a correction; a judge reads the tone."""
    sender, numbers = world.person(), world.dice.sample(range(1000, 9999), 4)
    ordered = {number: world.dice.randint(100, 999) for number in numbers}
    wrong, billed = numbers[2], ordered[numbers[2]] + world.dice.randint(11, 90)
    world.files["finance/orders.xlsx"] = spreadsheet([["Order", "Amount"]] + [[number, amount] for number, amount in ordered.items()])
    lines = "\n".join(f"order {number}: {billed if number == wrong else amount} euros" for number, amount in ordered.items())
    id = world.mail(sender["email"], "Invoice", f"We bill you for\n{lines}")
    world.ask(
        f"{sender['name']} sent an invoice. Compare it with finance/orders.xlsx. One amount differs: draft a reply that names the order and both amounts and asks for a corrected invoice. Do not send it.",
        deed("There is one draft to the sender with the order and both amounts.", "message", box="drafts", to=[sender["email"]], says=[str(wrong), str(billed), str(ordered[wrong])]),
        Criterion(text="The draft is polite and asks for a corrected invoice."),
        only("mail/drafts/"),
    )
    world.call("mail_draft_reply", id=id, body=f"Dear {sender['name']},\n\norder {wrong} is billed with {billed} euros, but we ordered for {ordered[wrong]} euros. Could you please send a corrected invoice?\n\nKind regards")
