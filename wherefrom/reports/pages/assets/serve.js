// The pages of the server: the form, the keys, facets, the lines of a file.

const form = document.getElementById("search");
const code = document.getElementById("code");
const facets = [...document.querySelectorAll(".facet > input")];

/** The most characters of a query that becomes part of the URL, so that it can be kept as a link. */
const MOST_IN_URL = 6000;

/** The highest size of a file that is searched for, in bytes, and the highest number of files of a folder. */
const MOST_BYTES = 10_000_000;
const MOST_FILES = 500;

/** The query without the facets that narrow its hits. */
const asked = () => [...form.elements].filter((field) => field.name && !field.matches(".facet > input, button"))
  .map((field) => (field.type === "checkbox" ? field.checked : field.value)).join("\0");
const askedBefore = form && asked();

form?.addEventListener("submit", (event) => {
  // Facets that were chosen for one search do not fit another one.
  if (asked() !== askedBefore) for (const facet of facets) facet.checked = false;
  const fields = new FormData(form, event.submitter);
  fields.set("code", fields.get("code").replaceAll("\r\n", "\n"));
  const query = new URLSearchParams([...fields].filter(([, value]) => typeof value === "string" && value !== ""));
  if (query.toString().length > MOST_IN_URL) return;
  event.preventDefault();
  location.assign(`/search?${query}`);
});

form?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.requestSubmit();
});

/** A text in which each character that a page would obey or not show is replaced by its code point. */
const visible = (text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `<U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`);

const ARCHIVE = /\.(zip|whl|jar|tar|t(ar\.)?(gz|bz2|xz|zst))$/i;

/** Says what files were taken for. */
function tell(text, ...others) {
  const place = document.getElementById("took");
  place.replaceChildren(visible(text), ...others);
  place.hidden = false;
}

/** A button that sends files to the page that takes them. */
function sending(files, address, field, words) {
  const input = make("input", { type: "file", name: field, multiple: true, hidden: true });
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
  const button = make("button", { textContent: words });
  return make("form", { action: address, method: "post", enctype: "multipart/form-data" }, input, button);
}

/** Puts a file into the form. A diff can be checked too. An archive is checked or compared instead. */
async function take(file) {
  if (ARCHIVE.test(file.name)) {
    takeArchives([file]);
    return;
  }
  code.value = await file.text();
  form.elements.name.value = file.name;
  const checks = /\.(diff|patch)$/i.test(file.name) ? [sending([file], "/check", "change", "Check whether it copies without credit")] : [];
  tell(`Taken for the file ${file.name}.`, ...checks);
  code.focus();
}

function takeArchives(files) {
  const forms = [sending(files, "/compare", "submissions", "Compare the hand-ins")];
  if (files.length === 1) forms.unshift(sending(files, "/check", "change", "Check the project"));
  tell(files.length === 1 ? `${files[0].name} is an archive.` : `${files.length} archives.`, ...forms);
}

/** The files that were dropped, with their paths. A folder counts as all files in it. */
async function* filesOf(entry, path = "") {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    yield [path + entry.name, file];
    return;
  }
  if ([".git", "node_modules", ".venv"].includes(entry.name)) return;
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const each of some) yield* filesOf(each, `${path}${entry.name}/`);
  }
}

/** The URL of the page with lines of an indexed file. */
function fileUrl({ repository, path, lines }) {
  const encoded = (text) => text.split("/").map(encodeURIComponent).join("/");
  // A key that is a path begins with a slash, which must not make an empty part of the URL.
  const key = repository.startsWith("/") ? `%2F${encoded(repository.slice(1))}` : encoded(repository);
  return `/r/${key}/${encoded(path)}${lines ? `#L${lines.start_line}-${lines.end_line}` : ""}`;
}

/** The licenses at a location, in words. */
async function licensesAt(at) {
  const answer = await fetch(`/api/v1/documents/${at.blob}`);
  if (!answer.ok) return "";
  const places = (await answer.json()).occurrences;
  const place = places.find(({ repository, path }) => repository === at.repository && path === at.path);
  return place ? place.licenses.join(", ") || "none stated" : "";
}

/** The best hit of a file, as the row of the table that is shown and saved. */
async function lookedUp(path, file) {
  const answer = await fetch("/api/v1/search", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code: await file.text(), name: file.name, limit: 1 }),
  });
  const found = await answer.json();
  if (!answer.ok) return { file: path, problem: found.detail };
  const [hit] = found.hits;
  // The figures belong to the content at the first location.
  const at = hit?.occurrences[0];
  if (!at) return { file: path };
  const { repository, path: there, lines } = at;
  return { file: path, match: hit.match, strength: hit.strength, probability: hit.probability, license: await licensesAt(at), repository, path: there, lines };
}

/** How sure a match is, such as `strong 0.97`. The number is rounded down and never 1: nothing is certain. */
function probable({ strength, probability }) {
  return strength ? `${strength} ${(Math.floor(probability * 100) / 100).toFixed(2)}` : "";
}

/** Searches for several files, one after the other, and lists the best hit of each. */
async function lookUp(files) {
  const place = document.getElementById("files");
  const body = make("tbody");
  const rows = [];
  const save = make("button", { type: "button", textContent: "Save as JSON" });
  save.addEventListener("click", () => download("wherefrom.json", rows));
  const status = make("p", { className: "soft", attributes: { role: "status" } });
  const head = make("tr", {}, ...["file", "match", "probable", "license", "found in"].map((name) => make("th", { textContent: name, scope: "col" })));
  place.replaceChildren(make("h2", { textContent: "Files" }), status, make("div", { className: "controls" }, save), make("div", { className: "wide" }, make("table", {}, make("thead", {}, head), body)));
  place.hidden = false;
  tell("Each of these files is looked up by itself.");
  let done = 0;
  let skipped = 0;
  const count = () => {
    status.textContent = `${plural(done, "file")} looked up${skipped ? `, ${skipped} left out` : ""}`;
  };
  for await (const [path, file] of files) {
    if (done + skipped >= MOST_FILES) {
      status.textContent = `${plural(done, "file")} looked up; the folder has more, look up a part of it`;
      return;
    }
    if (!file.size || file.size > MOST_BYTES) {
      skipped += 1;
      count();
      continue;
    }
    const cells = ["name", "count", "", "license", "name"].map((className) => make("td", { className }));
    const open = make("button", { type: "button", textContent: visible(path) });
    open.addEventListener("click", async () => {
      await take(file);
      form.requestSubmit();
    });
    cells[0].append(open);
    body.append(make("tr", {}, ...cells));
    try {
      const row = await lookedUp(path, file);
      rows.push(row);
      if (row.repository) {
        const { start_line: first, end_line: last } = row.lines ?? {};
        const lines = row.lines ? `:${first === last ? first : `${first}-${last}`}` : "";
        [cells[1].textContent, cells[2].textContent, cells[3].textContent] = [`${Math.floor(row.match)}%`, probable(row), visible(row.license)];
        cells[4].append(make("a", { href: fileUrl(row), textContent: visible(`${row.repository}  ${row.path}${lines}`) }));
      } else cells[4].textContent = row.problem ?? "nothing found";
    } catch (error) {
      cells[4].textContent = String(error.message ?? error);
    }
    done += 1;
    count();
  }
}

async function* chosen(files) {
  for (const file of files) yield [file.name, file];
}

document.getElementById("file")?.addEventListener("change", (event) => {
  const files = [...event.target.files];
  if (files.length === 1) take(files[0]);
  else if (files.length && files.every(({ name }) => ARCHIVE.test(name))) takeArchives(files);
  else if (files.length) lookUp(chosen(files));
});

code?.addEventListener("dragover", (event) => {
  if (![...event.dataTransfer.types].includes("Files")) return;
  event.preventDefault();
  code.classList.add("over");
});
code?.addEventListener("dragleave", () => code.classList.remove("over"));
code?.addEventListener("drop", (event) => {
  code.classList.remove("over");
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return;
  event.preventDefault();
  if (entries.length === 1 && entries[0].isFile) entries[0].file(take);
  else if (entries.every(({ isFile, name }) => isFile && ARCHIVE.test(name))) takeArchives([...event.dataTransfer.files]);
  else {
    lookUp((async function* () {
      for (const entry of entries) yield* filesOf(entry);
    })());
  }
});

// Facets: each choice starts a search at once, and the page stays at the same place.

const hits = [...document.querySelectorAll(".hit")];
const STAY = "wherefrom facet";

function searchAgain(facet) {
  try {
    sessionStorage.setItem(STAY, JSON.stringify([facet?.name, facet?.value, scrollY]));
  } catch {
    // A browser may refuse to store data; then the page begins at the top.
  }
  form.requestSubmit();
}

for (const facet of facets) facet.addEventListener("change", () => searchAgain(facet));

document.getElementById("narrow")?.remove();
document.getElementById("widen")?.addEventListener("click", () => {
  for (const facet of facets) facet.checked = false;
  searchAgain(facets[0]);
});

try {
  const [name, value, height] = JSON.parse(sessionStorage.getItem(STAY) ?? "[]");
  sessionStorage.removeItem(STAY);
  const chosen = facets.find((facet) => facet.name === name && facet.value === value) ?? (name && facets[0]);
  if (chosen) {
    chosen.focus({ preventScroll: true });
    scrollTo(0, height);
  }
} catch {
  // Without stored data the page begins at the top.
}

// Keys.

const keys = document.getElementById("keys");

function step(by) {
  if (!hits.length) return;
  const at = hits.indexOf(document.activeElement?.closest(".hit"));
  const next = hits[Math.min(Math.max(at + by, 0), hits.length - 1)];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

addEventListener("keydown", (event) => {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest?.("input:not([type=checkbox]), textarea, select, dialog[open]")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  if (event.key === "/" && code) {
    event.preventDefault();
    code.focus();
    code.select();
  } else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "Enter" && target.classList?.contains("hit")) target.querySelector("a.place").click();
  else if (event.key === "?") keys.showModal();
});

// The table of repositories.

const filter = document.getElementById("filter");
if (filter) {
  const rows = [...document.getElementById("repositories").tBodies[0].rows];
  const show = () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
    const number = rows.filter((row) => !row.hidden).length;
    document.getElementById("shown").textContent = wanted ? `${number.toLocaleString("en")} of ${plural(rows.length, "repository", "repositories")}` : "";
  };
  filter.addEventListener("input", show);
  filter.closest("div").hidden = false;
  show(); // A browser keeps what was typed when a reader comes back.
}

// The lines of a file: their permalink, and the other locations that have them.

const numbers = document.querySelectorAll("pre a.number");

function showChosen() {
  for (const line of document.querySelectorAll(".chosen")) line.classList.remove("chosen");
  const range = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash);
  if (range === null) return;
  const [first, last] = [Number(range[1]), Number(range[2] ?? range[1])];
  for (let number = first; number <= Math.min(last, first + 20_000); number++) {
    document.getElementById(`L${number}`)?.classList.add("chosen");
  }
  document.getElementById(`L${first}`)?.scrollIntoView({ block: "center" });
}

for (const number of numbers) {
  number.addEventListener("click", (event) => {
    const first = /^#L(\d+)/.exec(location.hash);
    if (!event.shiftKey || first === null) return;
    event.preventDefault();
    const ends = [Number(first[1]), Number(number.textContent)].sort((a, b) => a - b);
    location.hash = `L${ends[0]}-${ends[1]}`;
  });
}

if (numbers.length) {
  addEventListener("hashchange", showChosen);
  showChosen();
}

/** The line of the other location that faces line `number` of this file; nothing if that is not known. */
function facing(place, number) {
  for (const [first, last, there, end] of place.regions) {
    if (first <= number && number <= last) {
      return Math.min(there + Math.round(((number - first) * (end - there)) / Math.max(last - first, 1)), end);
    }
  }
  return place.regions[0]?.[2];
}

function showElsewhere(number, found) {
  const side = document.getElementById("elsewhere");
  const list = found.map((place) => {
    const line = facing(place, number);
    const more = place.more ? `, and ${plural(place.more, "more location")}` : "";
    const link = make("a", line ? { href: `${place.url}#L${line}`, textContent: `${place.title}:${line}` } : { href: place.url, textContent: place.title });
    return make("li", {}, link, ` ${place.notes}${more}`);
  });
  side.replaceChildren(make("h2", { textContent: `Line ${number} is also in` }), make("ul", { className: "places" }, ...list));
  side.hidden = false;
  side.parentElement.classList.add("beside");
}

async function markLines(status) {
  status.textContent = "Looking for these lines elsewhere …";
  const answer = await fetch(status.dataset.lines);
  const found = await answer.json();
  if (!answer.ok) {
    status.textContent = found.detail;
    return;
  }
  const at = new Map();
  for (const [first, last, files, places] of found.lines) {
    for (let number = first; number <= last; number++) at.set(number, [files, places.map((place) => found.places[place])]);
  }
  for (const [number, [files, places]] of at) {
    const line = document.getElementById(`L${number}`);
    const anchor = line?.querySelector("a.number");
    if (!anchor) continue;
    line.classList.add("elsewhere");
    const mark = make("button", { type: "button", className: "mark", textContent: files > 99 ? "99+" : files, attributes: { "aria-label": `Line ${number} is also in ${plural(files, "other file")}: show where` } });
    // The Tab key stops at the first line of each stretch; the arrow keys go on from there.
    mark.tabIndex = at.has(number - 1) ? -1 : 0;
    mark.addEventListener("click", () => showElsewhere(number, places));
    mark.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const next = by && document.querySelector(`#L${number + by} > button.mark`);
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
    line.prepend(mark);
  }
  const marked = [...at.keys()].filter((number) => document.getElementById(`L${number}`)).length;
  status.textContent = marked
    ? `${plural(marked, "line")} also in ${plural(found.files, "other file")}: choose a mark to see where`
    : "No line was found in another file.";
}

const marks = document.getElementById("marks");
if (marks) markLines(marks).catch((error) => { marks.textContent = String(error.message ?? error); });

// A check or a comparison: its progress, and then its report.

const job = document.getElementById("job");

async function follow() {
  // A request also fails while the page is left.
  const { deleted, before, progress } = await fetch(job.dataset.address)
    .then((answer) => (answer.ok ? answer.json() : { deleted: true }))
    .catch(() => ({ progress: "The server does not answer." }));
  if (deleted) {
    location.reload();
    return;
  }
  job.textContent = progress || (before ? `${plural(before, "other job")} before this one` : "It begins soon.");
  setTimeout(follow, 1000);
}

if (job) setTimeout(follow, 500);

colorCode([...document.querySelectorAll("pre")].flatMap(uncolored));
