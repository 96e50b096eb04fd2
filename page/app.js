// The page: what is chosen, the progress, and the report.

import { make, plural } from "./drawing.js";
import { Grammars } from "./grammars.js";
import { canKeep, forget, keep, kept, openKept } from "./kept.js";
import { reportData, savedFile, showReport } from "./report.js";
import { visible } from "./shown-text.js";
import { chosen, dropped } from "./sources.js";
import { likelyUnit, setRules } from "./submissions.js";
import { Work } from "./work.js";

const at = (id) => document.getElementById(id);
const NAMED = 5; // the files and folders that a message names
const ASKED = 3000; // milliseconds between two questions whether a newer version may replace this one
const SPOKEN = 5000; // milliseconds between two figures that a screen reader says
const FORM = { isForm: true }; // the state of an entry of the browser's history

let site = null;
let rules = null;
let work = null;
let grammars = null;
let sources = []; // { source, role, isKept }; a kept source is read from the browser's own storage
let hasChosenUnit = false;

/** The data of the shown report. */
export let shown = null;

/** The result of the last comparison, in the form of `wherefrom compare --format json`. */
export let answer = null;

/** The content of a file of the site. */
async function loaded(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`the server answers ${response.status} for ${path}`);
  return response;
}

/** Shows one part of the page, and puts the focus there. */
function show(part) {
  for (const id of ["choose", "working", "answer"]) at(id).hidden = id !== part;
  at({ choose: "compare", working: "stage", answer: "answer" }[part]).focus();
}

function tell(problem) {
  at("problem").textContent = problem;
  at("problem").hidden = !problem;
}

/** Does something that a reader asked for, and tells why if it fails. */
async function attempt(action) {
  tell("");
  try {
    await action();
  } catch (error) {
    tell(error.name === "QuotaExceededError" ? "This browser has no room to keep the files." : `${error.message}.`);
  }
}

const bytesText = (bytes) => (bytes < 1e6
  ? `${Math.ceil(bytes / 1e3).toLocaleString("en")} kB`
  : `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`);

const sizeOf = ({ entries }) => entries.reduce((sum, { size }) => sum + size, 0);

/** Adds sources in a role. */
async function add(found, role) {
  at("status").textContent = at("chosen").textContent = "Listing files";
  try {
    const all = await found;
    sources.push(...all.map((source) => ({ source, role })));
    const lost = all.flatMap(({ name, entries }) => (
      entries.filter(({ skip }) => skip === "unreadable").map(({ path }) => visible(`${name}/${path}`))
    ));
    const more = lost.length > NAMED ? ` and ${plural(lost.length - NAMED, "other")}` : "";
    if (lost.length) tell(`Left out, since the browser cannot read it: ${lost.slice(0, NAMED).join(", ")}${more}.`);
  } finally {
    at("status").textContent = "";
    showSources();
  }
}

function showSources() {
  for (const zone of document.querySelectorAll(".zone")) {
    const own = sources.filter(({ role }) => role === zone.dataset.role);
    zone.querySelector(".sources").replaceChildren(...own.map(rowOf));
  }
  if (!hasChosenUnit) at("by").value = likelyUnit(sources);
  const files = sources.reduce((sum, { source }) => sum + source.entries.length, 0);
  const bytes = sources.reduce((sum, { source }) => sum + sizeOf(source), 0);
  at("chosen").textContent = files ? `${plural(files, "file")}, ${bytesText(bytes)}` : "";
  at("compare").disabled = !sources.some(({ role }) => role === "submission");
  at("keep").disabled = files === 0 || !canKeep();
}

function rowOf(given) {
  const { source } = given;
  const name = `${visible(source.name)}${source.kind === "folder" ? "/" : ""}`;
  const attributes = { "aria-label": `Remove ${name}` };
  const remove = make("button", { type: "button", textContent: "Remove", attributes });
  remove.addEventListener("click", () => {
    sources = sources.filter((other) => other !== given);
    showSources();
    at("choose").querySelector(`[data-role="${given.role}"] .choose-folder`).focus();
  });
  const size = make("span", { className: "soft", textContent: plural(source.entries.length, "file") });
  return make("li", {}, make("span", { textContent: name }), size, remove);
}

/** Lets a reader choose with a file input, whose files get the role of the zone. */
function choose(input, role) {
  input.value = "";
  input.onchange = () => attempt(() => add(chosen(input.files), role));
  input.click();
}

function setUpZones() {
  for (const zone of document.querySelectorAll(".zone")) {
    const { role } = zone.dataset;
    zone.querySelector(".choose-folder").addEventListener("click", () => choose(at("folder-input"), role));
    zone.querySelector(".choose-files").addEventListener("click", () => choose(at("files-input"), role));
  }
  const zoneOf = (event) => event.target.closest?.(".zone") ?? document.querySelector(".zone.first");
  const mark = (zone) => {
    for (const other of document.querySelectorAll(".zone")) other.classList.toggle("over", other === zone);
  };
  // A file that is dropped beside the zones would replace the page.
  addEventListener("dragover", (event) => {
    event.preventDefault();
    mark(at("choose").hidden ? null : zoneOf(event));
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) mark(null);
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    mark(null);
    if (!at("choose").hidden) attempt(() => add(dropped(event.dataTransfer), zoneOf(event).dataset.role));
  });
}

const STAGES = {
  reading: "Reading files", counting: "Counting", comparing: "Comparing pairs of files", done: "Making the report",
};

/** Shows the progress. A screen reader says the stage, and a figure every few seconds. */
function progressShown() {
  let spoken = 0;
  let current = "";
  return ({ stage, done, total, bytes }) => {
    at("progress").max = Math.max(total, 1);
    at("progress").value = done;
    const size = bytes === undefined ? "" : ` files, ${bytesText(bytes)}`;
    const text = total ? `${done.toLocaleString("en")} of ${total.toLocaleString("en")}${size}` : "";
    at("done").textContent = text;
    if (stage !== current) at("stage").textContent = STAGES[stage];
    if (stage !== current || performance.now() - spoken > SPOKEN) {
      at("status").textContent = `${STAGES[stage]} ${text}`;
      spoken = performance.now();
    }
    current = stage;
  };
}

async function compare() {
  tell("");
  show("working");
  const running = work;
  const showProgress = progressShown();
  const progress = (state) => {
    if (!running.stopping.aborted) showProgress(state);
  };
  progress({ stage: "reading", done: 0, total: 0 });
  const asked = {
    sources: [...sources], by: at("by").value, snippet: at("snippet").value.trim() ? at("snippet").value : "",
    language: at("language").value,
  };
  try {
    const { result, entries, skipped, first, snippet } = await running.compare(asked, progress);
    progress({ stage: "done", done: 0, total: 0 });
    const data = await reportData({
      result, first, skipped,
      parameters: parametersOf(asked),
      title: titleOf(asked),
      content: async (file) => {
        running.stopping.throwIfAborted();
        const content = await entries[file].read(rules.limits.maxFileSize);
        return typeof content === "string" ? null : content;
      },
    });
    running.stopping.throwIfAborted();
    answer = result;
    shown = data;
    const fate = snippet === null ? "" : fateOf(snippet, result, first);
    at("snippet-fate").textContent = fate;
    at("snippet-fate").hidden = !fate;
    history.pushState(null, "", location.pathname);
    show("answer");
    await showReport(at("report"), shown);
    at("status").textContent = `${plural(result.counts.found_pairs, "pair")} found. ${fate}`;
  } catch (error) {
    if (running.stopping.aborted) return;
    endWork();
    tell(`${error.message}.`);
  }
}

/** What became of the pasted snippet. */
function fateOf({ language, reason }, { submissions, pairs }, first) {
  if (reason !== null) return `The pasted snippet was not compared: ${reason.replaceAll("_", " ")}.`;
  const read = `The pasted snippet was read as ${language}.`;
  const least = rules.compare.options.min_tokens;
  const { tokens } = submissions[first];
  if (tokens < least) return `${read} It is too short: it has ${plural(tokens, "token")}, and a match needs ${least}.`;
  const number = pairs.filter(({ left, right }) => left === first || right === first).length;
  return `${read} ${number ? plural(number, "submission") : "No submission"} ${number > 1 ? "have" : "has"} code of it.`;
}

const namesOf = (given, wanted) => given.filter(({ role }) => role === wanted).map(({ source }) => source.name);

function titleOf({ sources: given }) {
  const [name, ...others] = namesOf(given, "submission");
  return others.length ? `${name} and ${plural(others.length, "other")}` : name;
}

/** The parameters of the comparison, as the command has them. */
function parametersOf({ sources: given, by }) {
  const [paths, archive, template] = ["submission", "archive", "template"].map((role) => namesOf(given, role));
  return {
    paths, archive, with: [], template, without: [], by, author_of: null, index: null, ...rules.compare.options,
  };
}

async function save() {
  const skeleton = await (await loaded("skeleton.html")).text();
  const url = URL.createObjectURL(await savedFile(shown, skeleton));
  make("a", { href: url, download: "wherefrom.html" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Back to what was chosen. The analyzed files stay, so that another comparison is quick. */
function again() {
  history.pushState(FORM, "", location.pathname);
  dispatchEvent(new Event("hashchange")); // the report closes the shown pair, and its keys
  show("choose");
}

/** Shows the part that belongs to an entry of the browser's history: the form, or else a place in the report. */
function showEntry({ state }) {
  if (!at("working").hidden || location.hash === "#main") return; // the link that skips to the content
  const part = state?.isForm || shown === null ? "choose" : "answer";
  if (at(part).hidden) show(part);
}

/** Ends the work, and shows what was chosen. */
function endWork() {
  work.stop();
  work = new Work(work.parts);
  show("choose");
}

function stop() {
  endWork();
  at("status").textContent = "Stopped";
}

async function showKept() {
  const found = canKeep() ? await kept().catch(() => null) : null; // a private window may refuse
  at("kept").hidden = found === null;
  if (found === null) return;
  const day = new Date(found.kept).toLocaleDateString("en", { dateStyle: "medium" });
  const names = found.names.map(visible).join(", ");
  at("kept-text").textContent = `Kept in this browser on ${day}: ${names} (${bytesText(found.bytes)}).`;
}

async function showOffline() {
  const names = await grammars.kept();
  const all = Object.keys(site.grammars).length;
  const rest = Object.entries(site.grammars).filter(([name]) => !names.includes(name));
  const isReady = navigator.serviceWorker?.controller != null;
  const page = isReady ? "This page opens without a network."
    : "This browser does not keep this page: it needs the network.";
  const languages = names.length === all ? "All languages work without a network."
    : names.length ? `These languages work without a network: ${names.join(", ")}. The others need it once.`
      : "A language needs it once, when it is first used.";
  at("offline").textContent = `${page} ${languages}`;
  at("all-grammars").hidden = rest.length === 0;
  const missing = rest.reduce((sum, [, { size }]) => sum + size, 0);
  at("all-grammars").textContent = `Get all languages (${bytesText(missing)})`;
}

async function getAllGrammars() {
  at("all-grammars").disabled = true;
  try {
    await grammars.keepAll((done, total) => {
      at("offline").textContent = `Getting languages: ${done} of ${total}`;
    });
  } finally {
    at("all-grammars").disabled = false;
    await showOffline();
  }
}

/**
 * Keeps this page for use without a network. If a newer version was kept since, it replaces this one. Where a browser
 * refuses, the page needs the network each time.
 */
async function keepPage() {
  const worker = navigator.serviceWorker;
  if (worker === undefined) return;
  let { controller } = worker;
  worker.addEventListener("controllerchange", () => {
    if (controller !== null && sources.length === 0) location.reload();
    ({ controller } = worker); // null before the first version is kept
  });
  worker.addEventListener("message", () => {
    at("newer").hidden = false;
  });
  const registration = await worker.register("service-worker.js");
  const ask = () => {
    if (sources.length === 0) registration.waiting?.postMessage("replace");
  };
  ask();
  setInterval(ask, ASKED); // a newer version may come later, and other tabs may be closed
}

function setUpButtons() {
  at("choose").addEventListener("submit", (event) => {
    event.preventDefault();
    compare();
  });
  at("by").addEventListener("change", () => {
    hasChosenUnit = true;
  });
  at("stop").addEventListener("click", stop);
  at("again").addEventListener("click", again);
  at("save").addEventListener("click", () => attempt(save));
  at("keep").addEventListener("click", () => attempt(async () => {
    at("keep").disabled = true;
    at("status").textContent = at("chosen").textContent = "Keeping the files";
    try {
      const given = [...sources];
      await keep(given, rules.limits.maxFileSize);
      // What kept sources were read from is removed now.
      if (given.some(({ isKept }) => isKept)) {
        sources = [...await openKept(), ...sources.filter((one) => !given.includes(one))];
      }
      at("status").textContent = "Kept in this browser";
    } finally {
      showSources();
      await showKept();
    }
  }));
  at("open-kept").addEventListener("click", () => attempt(async () => {
    sources = await openKept();
    showSources();
  }));
  at("forget").addEventListener("click", () => attempt(async () => {
    await forget();
    sources = sources.filter(({ isKept }) => !isKept);
    showSources();
    await showKept();
    at("status").textContent = "Forgotten";
    at("choose").querySelector(".choose-folder").focus();
  }));
  at("all-grammars").addEventListener("click", () => attempt(getAllGrammars));
  at("choose").querySelector("details:last-of-type").addEventListener("toggle", () => attempt(showOffline));
}

/** Loads what every comparison needs. Where a browser lacks something it fails, and the page says what it needs. */
async function start() {
  if (!isSecureContext) return;
  keepPage().catch(() => {});
  site = await (await loaded("site.json")).json();
  rules = await (await loaded("rules.json")).json();
  setRules(rules);
  const kernel = await WebAssembly.compile(await (await loaded("kernel.wasm")).arrayBuffer());
  grammars = new Grammars(site.grammars);
  work = new Work({ kernel, rules, grammars });
  const languages = Object.keys(site.grammars);
  at("language").append(...languages.map((name) => make("option", { value: name, textContent: name })));
  setUpZones();
  setUpButtons();
  showSources();
  at("needs").hidden = true;
  at("choose").hidden = false;
  history.replaceState(FORM, "", location.pathname);
  addEventListener("popstate", showEntry);
  await attempt(showKept);
  await grammars.removeOld();
}

start();
