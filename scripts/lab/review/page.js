"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const items = data.completions, tasks = data.tasks;
  const answers = {}, shares = {}, quotes = {}, remarks = {}, history = [];
  const own = [];
  let at = 0, unsaved = false;

  const number = (i) => String(items[i][0]);
  const task = (i) => items[i][1];
  const judged = () => items.filter((_, i) => answers[number(i)]).length;

  function show() {
    const [n, name, said] = items[at];
    $("title").textContent = `${n} of ${items.length} (task ${name})`;
    $("prompt").textContent = tasks[name];
    $("completion").textContent = said;
    $("share").value = shares[n] || "";
    $("quote").value = quotes[n] || "";
    $("remark").value = remarks[name] || "";
    for (const button of $("labels").children)
      button.setAttribute("aria-pressed", String(button.dataset.label === answers[n]));
    $("back").disabled = at === 0;
    $("next").disabled = at === items.length - 1;
    $("undo").disabled = !history.length;
    progress();
  }

  function progress() {
    const done = judged();
    $("done").style.width = `${(100 * done) / items.length}%`;
    $("bar").setAttribute("aria-valuemax", items.length);
    $("bar").setAttribute("aria-valuenow", done);
    const left = items.length - done;
    $("count").textContent = left
      ? `${done} of ${items.length} judged`
      : "all judged: write completions of your own below, then save";
    [...$("map").children].forEach((entry, i) => {
      const button = entry.firstChild;
      button.classList.toggle("judged", Boolean(answers[number(i)]));
      button.setAttribute("aria-current", String(i === at));
    });
  }

  function judge(label) {
    const n = number(at);
    history.push([at, n, answers[n]]);
    answers[n] = label;
    unsaved = true;
    const after = items.findIndex((_, i) => i > at && !answers[number(i)]);
    const before = items.findIndex((_, i) => !answers[number(i)]);
    at = after >= 0 ? after : before >= 0 ? before : at;
    show();
  }

  function undo() {
    const last = history.pop();
    if (!last) return;
    const [place, n, label] = last;
    if (label === undefined) delete answers[n];
    else answers[n] = label;
    at = place;
    show();
  }

  function go(i) {
    at = Math.max(0, Math.min(items.length - 1, i));
    show();
  }

  function keep(kept, key, value) {
    if (value.trim()) kept[key] = value.trim();
    else delete kept[key];
    unsaved = true;
  }

  function field(kind, label, change, choices) {
    const made = document.createElement(kind);
    made.setAttribute("aria-label", label);
    if (kind !== "select") made.placeholder = label;
    for (const choice of choices || []) {
      const option = document.createElement("option");
      option.value = option.textContent = choice;
      made.append(option);
    }
    made.addEventListener("input", () => { change(made.value); unsaved = true; });
    return made;
  }

  function addOwn() {
    const names = Object.keys(tasks).filter((name) => /^[0-9]+$/.test(name));
    const one = { task: Number(names[0] || 0), completion: "", earns: "right", why: "" };
    own.push(one);
    const row = document.createElement("div");
    row.className = "one";
    const why = field("input", "the sentence that says so", (v) => { one.why = v; });
    why.className = "why";
    row.append(
      field("select", "task", (v) => { one.task = Number(v); }, names),
      field("textarea", "the whole reply", (v) => { one.completion = v; }),
      field("select", "what it should earn", (v) => { one.earns = v; }, ["right", "wrong", "part"]),
      why,
    );
    $("own").append(row);
    row.querySelector("textarea").focus();
  }

  function answer(n) {
    const share = answers[n] === "part" && shares[n] ? ` ${shares[n]}` : "";
    return answers[n] + share + (quotes[n] ? `: ${quotes[n]}` : "");
  }

  function saved() {
    const given = {};
    for (let i = 0; i < items.length; i++) {
      const n = number(i);
      if (answers[n]) given[n] = answer(n);
    }
    return {
      review: data.review, reader: $("reader").value.trim(), answers: given, remarks,
      own: own.filter((one) => one.completion),
    };
  }

  function save() {
    const text = JSON.stringify(saved(), null, 1) + "\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "answers.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    unsaved = false;
    const left = items.length - judged();
    $("saved").textContent = left ? `saved; ${left} are not judged yet` : "saved";
  }

  const KEYS = {
    1: () => judge("right"), 2: () => judge("wrong"), 3: () => judge("part"),
    4: () => judge("unsure"), r: () => judge("right"), w: () => judge("wrong"),
    p: () => judge("part"), n: () => judge("unsure"),
    u: undo, ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1),
  };

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const act = KEYS[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
  for (const button of $("labels").children)
    button.addEventListener("click", () => judge(button.dataset.label));
  $("share").addEventListener("input", () => {
    keep(shares, number(at), $("share").validity.valid ? $("share").value : "");
  });
  $("quote").addEventListener("input", () => keep(quotes, number(at), $("quote").value));
  $("remark").addEventListener("input", () => keep(remarks, task(at), $("remark").value));
  $("back").addEventListener("click", () => go(at - 1));
  $("next").addEventListener("click", () => go(at + 1));
  $("undo").addEventListener("click", undo);
  $("add").addEventListener("click", addOwn);
  $("save").addEventListener("click", save);
  items.forEach((_, i) => {
    const entry = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = number(i);
    button.addEventListener("click", () => go(i));
    entry.append(button);
    $("map").append(entry);
  });
  show();
})();
