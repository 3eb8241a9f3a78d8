// The page's only script: requests the state and shows it.
"use strict";

const parameters = new URLSearchParams(location.search);
const token = parameters.get("token");
const $ = (id) => document.getElementById(id);
const motions = [
  ["start", "|◀", "Home"], ["reverse", "◀◀", "Shift+F5"], ["back", "◀ back", "Shift+F10"],
  ["next", "next ▶", "F10"], ["step", "into ↘", "F11"], ["finish", "out ↗", "Shift+F11"],
  ["continue", "▶▶", "F5"], ["end", "▶|", "End"],
];
let state = { title: "", size: [1, 1], remarks: [] };
let image = null, heat = null, view = { x: 0, y: 0, scale: 1 };

function element(name, text, attributes) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  Object.assign(made, attributes || {});
  return made;
}

async function ask(query) {
  try {
    const answer = await fetch("do?" + new URLSearchParams({ ...query, token }));
    if (!answer.ok) { $("stop").textContent = await answer.text(); return; }
    state = await answer.json();
  } catch (error) {
    $("stop").textContent = "no answer, quadrille debug may have ended: " + error.message;
    return;
  }
  show();
}

// Requests are sent one after another, so that the last state is shown. A mistake of one stops none of the later ones.
let last = Promise.resolve();
function act(query) {
  last = last.then(() => ask(query)).catch((error) => {
    $("stop").textContent = "the page cannot show this state: " + error.message;
  });
  return last;
}

function load(path) {
  return new Promise((done) => {
    const picture = new Image();
    picture.onload = () => done(picture);
    picture.onerror = () => done(null);
    picture.src = path + "?" + new URLSearchParams({ token });
  });
}

// The picture.

function draw() {
  const canvas = $("canvas"), [width, height] = state.size;
  if (!image) return;
  const wide = Math.max(1, canvas.clientWidth), high = Math.round(wide * height / width);
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const fit = wide / width, by = fit * view.scale, context = canvas.getContext("2d");
  const across = wide / by, down = high / by;
  view.x = Math.min(Math.max(0, view.x), width - across);
  view.y = Math.min(Math.max(0, view.y), height - down);
  context.imageSmoothingEnabled = by < 1;
  context.clearRect(0, 0, wide, high);
  context.drawImage($("heat").checked && heat ? heat : image, -view.x * by, -view.y * by, width * by, height * by);
  if (state.pixel) {
    const [x, y] = [(state.pixel[0] - view.x) * by, (state.pixel[1] - view.y) * by], size = Math.max(by, 7);
    const at = by < 7 ? (by - 7) / 2 : 0;
    context.lineWidth = 3; context.strokeStyle = "black"; context.strokeRect(x + at, y + at, size, size);
    context.lineWidth = 1; context.strokeStyle = "white"; context.strokeRect(x + at, y + at, size, size);
  }
}

function under(event) {
  const canvas = $("canvas"), box = canvas.getBoundingClientRect();
  const by = canvas.width / state.size[0] * view.scale, ratio = canvas.width / box.width;
  const at = [(event.clientX - box.left) * ratio / by + view.x, (event.clientY - box.top) * ratio / by + view.y];
  return at.map(Math.floor);
}

function zoomTo(level, middle) {
  const before = view.scale;
  view.scale = 2 ** level;
  const [width, height] = state.size, [x, y] = middle || state.pixel || [width / 2, height / 2];
  if (middle) {
    view.x = x - (x - view.x) * before / view.scale;
    view.y = y - (y - view.y) * before / view.scale;
  } else {
    view.x = x - width / view.scale / 2;
    view.y = y - height / view.scale / 2;
  }
  $("scale").value = level;
  draw();
}

// Dragging moves the picture; a click without dragging selects the pixel.
let drag = null;
$("canvas").addEventListener("pointerdown", (event) => {
  drag = { x: event.clientX, y: event.clientY, from: { ...view }, moved: false };
  event.target.setPointerCapture(event.pointerId);
});
$("canvas").addEventListener("pointermove", (event) => {
  if (!state.size) return;
  if (drag) {
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    drag.moved ||= Math.hypot(dx, dy) > 4;
    if (drag.moved) {
      const by = $("canvas").clientWidth / state.size[0] * view.scale;
      [view.x, view.y] = [drag.from.x - dx / by, drag.from.y - dy / by];
      draw();
    }
  }
  $("under").textContent = "(" + under(event).join(", ") + ")";
});
$("canvas").addEventListener("pointerup", (event) => {
  if (drag && !drag.moved) act({ pixel: under(event).join(",") });
  drag = null;
});
$("canvas").addEventListener("pointercancel", () => { drag = null; });
$("canvas").addEventListener("wheel", (event) => {
  event.preventDefault();
  const level = Math.min(6, Math.max(0, Number($("scale").value) + (event.deltaY < 0 ? 1 : -1)));
  zoomTo(level, under(event));
}, { passive: false });
$("scale").addEventListener("input", () => zoomTo(Number($("scale").value)));
$("heat").addEventListener("change", draw);
window.addEventListener("resize", draw);

// The other parts of the page.

function row(table, cells, attributes) {
  const made = element("tr", null, attributes);
  for (const cell of cells) made.append(cell instanceof Node ? cell : element("td", cell));
  table.append(made);
  return made;
}

function showSource() {
  const table = $("source"), counts = new Map(state.counts || []);
  table.replaceChildren();
  (state.source || []).forEach((text, i) => {
    const line = i + 1, made = element("tr");
    const number = element("td", line, { className: "n", title: "breakpoint", onclick: () => act({ break: line }) });
    made.append(number, element("td", counts.get(line) || "", { className: "c", title: "steps on this line" }), element("td", text));
    made.classList.toggle("here", line === state.line && !state.end);
    made.classList.toggle("stop", (state.breakpoints || []).includes(line));
    made.classList.toggle("never", !counts.has(line));
    table.append(made);
    for (const remark of state.remarks.filter((r) => r.line === line && (!r.file || r.file === state.file))) {
      const cell = element("td", remark.level + ": " + remark.text, { className: "remark" });
      row(table, [element("td"), element("td"), cell]);
    }
  });
  const here = table.querySelector(".here");
  if (here) here.scrollIntoView({ block: "nearest" });
}

function showVariable(table, variable, depth) {
  const name = element("td", null, { className: "name" });
  const short = depth ? variable.name.replace(/^.*(?=[.\[])/, "") : variable.name;
  name.style.paddingLeft = depth + "em";
  if (variable.has) {
    name.append(element("span", variable.open ? "▾ " : "▸ ", { onclick: () => act({ open: variable.name }) }));
  }
  name.append(element("span", short, { title: "history", onclick: () => act({ history: variable.name }) }));
  const cells = [name];
  if ($("all").checked) {
    variable.lanes.forEach((value, i) => {
      cells.push(element("td", value, { className: state.lanes[i].active || state.end ? "" : "off" }));
    });
  } else {
    cells.push(element("td", variable.value));
  }
  cells.push(element("td", variable.type, { className: "t" }));
  row(table, cells);
  variable.parts.forEach((part) => showVariable(table, part, depth + 1));
}

function showVariables() {
  const out = $("variables");
  out.replaceChildren();
  out.classList.toggle("all", $("all").checked);
  for (const group of state.variables || []) {
    out.append(element("h2", group.name));
    const table = element("table", null, { className: "values" });
    if ($("all").checked) {
      row(table, [element("th"), ...state.lanes.map((l) => element("th", (l.followed ? "▸" : "") + l.lane)), element("th")]);
    }
    group.list.forEach((variable) => showVariable(table, variable, 0));
    out.append(table);
  }
  const watches = $("watches");
  watches.replaceChildren();
  for (const watch of state.watches || []) {
    const remove = element("button", "×", { title: "remove", onclick: () => act({ unwatch: watch.name }) });
    const last = element("td");
    last.append(remove);
    row(watches, [watch.name, element("td", watch.value, { className: watch.ok ? "" : "bad" }), last]);
  }
}

function showHistory() {
  const out = $("history");
  out.replaceChildren();
  if (!state.history) return;
  const head = element("h2", "History of ");
  head.append(element("span", state.history.name, { className: "as-is" }));
  out.append(head);
  const table = element("table", null, { className: "values history" });
  for (const change of state.history.list) {
    const made = row(table, ["line " + change.line, change.value], { onclick: () => act({ goto: change.step }) });
    made.classList.toggle("here", change.step === state.step[0]);
  }
  out.append(table);
}

function show() {
  const title = state.title.replace(/^.*[\/\\]/, "");
  $("title").textContent = title;
  $("title").title = state.title;
  document.title = title + " · quadrille debug";
  $("picture").hidden = !state.picture;
  $("heat-label").hidden = !state.heat;
  $("stop").textContent = state.problem || state.cut || state.stop || "";
  const times = state.record && state.record[1] > 1 ? ` (${state.record[0]} of ${state.record[1]})` : "";
  $("who").textContent = state.who ? state.who + times : state.picture ? "click a pixel" : "";
  $("step").textContent = state.step ? `step ${state.step[0]} of ${state.step[1]}` : "";
  $("file").textContent = state.file || "Source";
  const stack = $("stack");
  stack.replaceChildren();
  (state.stack || []).forEach((frame, i) => {
    const made = row(stack, [frame.function, "line " + frame.line], { className: "name", onclick: () => act({ frame: i }) });
    if (i === state.frame) made.style.fontWeight = "600";
  });
  const lanes = $("lanes");
  lanes.replaceChildren();
  for (const lane of state.lanes || []) {
    const classes = (lane.active ? "on " : "") + (lane.followed ? "followed" : "");
    lanes.append(element("button", lane.lane, { className: classes, title: lane.name, onclick: () => act({ lane: lane.lane }) }));
  }
  const reports = $("reports");
  reports.replaceChildren();
  if (state.remarks.length) {
    reports.append(element("h2", "Check"));
    const table = element("table", null, { className: "values" });
    state.remarks.forEach((r) => row(table, ["line " + r.line, element("td", r.level + ": " + r.text, { className: "bad" })]));
    reports.append(table);
  }
  showSource();
  showVariables();
  showHistory();
  draw();
}

for (const [name, text, key] of motions) {
  $("motions").append(element("button", text, { title: name + " (" + key + ")", onclick: () => act({ motion: name }) }));
}
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" && event.target.type !== "range") return;
  const key = (event.shiftKey ? "Shift+" : "") + event.key;
  const motion = motions.find((m) => m[2] === key);
  if (motion) { event.preventDefault(); act({ motion: motion[0] }); }
});
$("watch").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.value.trim()) {
    act({ watch: event.target.value.trim() });
    event.target.value = "";
  }
});
$("all").addEventListener("change", () => show());

// First executes the other parameters of the address: a pixel, motions, a zoom.
(async () => {
  const first = {};
  await act(first);
  if (state.picture) image = await load("picture.png");
  if (state.heat) heat = await load("heat.png");
  for (const [name, value] of parameters) {
    if (name === "zoom") zoomTo(Number(value));
    else if (name === "all") { $("all").checked = true; show(); }
    else if (name === "cost") { $("heat").checked = true; draw(); }
    else if (name !== "token") await act({ [name]: value });
  }
  if (parameters.has("zoom")) zoomTo(Number(parameters.get("zoom")));
  document.body.dataset.ready = "yes";
  draw();
})();
