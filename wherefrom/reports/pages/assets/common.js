// Functions of all pages. Text enters a page only as textContent. A browser may refuse to store anything.

/** An element with properties, attributes in `attributes`, and children: nodes and texts. */
function make(name, properties = {}, ...children) {
  const { attributes = {}, ...rest } = properties;
  const element = name.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", name.slice(4))
    : document.createElement(name);
  Object.assign(element, rest);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Reads the JSON in a `<script type="application/json">`. */
function readJson(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

const plural = (number, noun, several = `${noun}s`) => `${number.toLocaleString("en")} ${number === 1 ? noun : several}`;

/** The decisions of a reader. This browser keeps them if it may store data, otherwise until the page is closed. */
class Kept {
  constructor(key) {
    this.key = key;
    this.values = {};
    this.isKept = true;
    try {
      const values = JSON.parse(localStorage.getItem(key) ?? "{}");
      if (values !== null && typeof values === "object" && !Array.isArray(values)) this.values = values;
    } catch {
      this.isKept = false;
    }
  }

  get(name) {
    return Object.hasOwn(this.values, name) ? this.values[name] : undefined;
  }

  set(name, value) {
    if (value === undefined) delete this.values[name];
    else Object.defineProperty(this.values, name, { value, enumerable: true, configurable: true, writable: true });
    try {
      localStorage.setItem(this.key, JSON.stringify(this.values));
    } catch {
      this.isKept = false;
    }
  }
}

/** Lets the reader save a value as a JSON file. */
function download(name, value) {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(value, null, 1)}\n`], { type: "application/json" }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Lets a button in the head of a column sort a table: numbers begin with the highest, texts with A. */
function makeSortable(table) {
  const value = (row, at) => row.cells[at].dataset.value ?? row.cells[at].textContent;
  const heads = [...table.tHead.rows[0].cells];
  for (const head of heads) {
    const isCount = head.classList.contains("count");
    head.querySelector("button")?.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const isDown = before === null ? isCount : before === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows].map((row) => [value(row, head.cellIndex), row]);
      const order = isCount ? (a, b) => a[0] - b[0] : (a, b) => a[0].localeCompare(b[0], "en");
      rows.sort((a, b) => (isDown ? -order(a, b) : order(a, b)));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  }
}

for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);

for (const button of document.querySelectorAll("button[data-theme-of]")) {
  const theme = new Kept("wherefrom theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : system.matches);
  const apply = () => {
    const chosen = theme.get("theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
    button.textContent = isDark() ? "Light colors" : "Dark colors";
  };
  button.addEventListener("click", () => {
    theme.set("theme", isDark() ? "light" : "dark");
    apply();
  });
  system.addEventListener("change", apply);
  button.hidden = false;
  apply();
}

for (const button of document.querySelectorAll("button[data-wraps]")) {
  const lines = new Kept("wherefrom lines");
  const apply = () => {
    const isLong = lines.get("lines") === "long";
    document.documentElement.dataset.lines = isLong ? "long" : "";
    button.setAttribute("aria-pressed", !isLong);
  };
  button.addEventListener("click", () => {
    lines.set("lines", lines.get("lines") === "long" ? undefined : "long");
    apply();
  });
  button.hidden = false;
  apply();
}

// A selection that begins on one of two sides takes only that side.
for (const rows of document.querySelectorAll("pre.rows")) {
  rows.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest(".row > span");
    if (cell) rows.parentElement.dataset.chosen = cell.previousElementSibling ? 1 : 0;
  });
}

// The color of code. It is laid over the text (CSS custom highlights) and changes nothing in it.

const words = (text) => text.split(" ");
const KEYWORDS = new Set(words(
  "abstract and as assert async await begin bool boolean break case catch chan char class const constexpr continue "
  + "def default defer del delete do double elif else elsif end ensure enum except export extends extern false False "
  + "final finally float fn for foreach from func function global go goto if impl implements import in include "
  + "inline instanceof int interface is lambda let local long loop match mod module mut namespace new nil None "
  + "nonlocal not null nullptr object operator or override package pass private protected pub public raise readonly "
  + "rescue return self select short signed sizeof static struct super switch template then this throw throws trait "
  + "true True try type typedef typeof undef union unless unsigned until use using val var virtual void volatile "
  + "when where while with yield"));

const OWN_KEYWORDS = {
  python: new Set(words(
    "and as assert async await break class continue def del elif else except finally for from global if import in is "
    + "lambda nonlocal not or pass raise return try while with yield None True False")),
};

const HASH = words("python ruby bash r julia elixir php");
const DASH = words("lua sql haskell");
const NO_CODE = words("text markdown prose html xml rst");

/** The pattern that finds comments, strings, numbers and words in a language. */
function pattern(language) {
  const parts = [];
  if (language === "python") parts.push(String.raw`(?<string>[rRbBfFuU]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)))`);
  if (HASH.includes(language)) parts.push(String.raw`(?<comment>#[^\n]*)`);
  else if (DASH.includes(language)) parts.push(String.raw`(?<comment>--[^\n]*)`);
  else parts.push(String.raw`(?<comment>\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))`);
  const quotes = parts[0].startsWith("(?<string>") ? "other" : "string";
  parts.push(String.raw`(?<${quotes}>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'|` + "`(?:[^`\\\\]|\\\\.)*`?)");
  parts.push(String.raw`(?<number>\b\d[\w.]*)`, String.raw`(?<word>[A-Za-z_$][\w$]*)`);
  return new RegExp(parts.join("|"), "g");
}

/** Takes the color from all code. */
function clearColor() {
  if ("highlights" in CSS) for (const highlight of CSS.highlights.values()) highlight.clear();
}

/** The texts in a block of code that have no colors yet: the language of each, and the elements with its lines. */
function uncolored(block) {
  const { language, languages } = block.dataset;
  if (languages === undefined) return [[language, [block]]];
  return languages.split(",").map((one, side) => [one, [...block.children].map((row) => row.children[side])]);
}

/** The parts of a text that have a color, in order: the kind, the start and the end of each. */
function* coloredParts(text, language) {
  if (!language || NO_CODE.includes(language)) return;
  const keywords = OWN_KEYWORDS[language] ?? KEYWORDS;
  for (const found of text.matchAll(pattern(language))) {
    const { comment, string, other, number, word } = found.groups;
    const kind = comment !== undefined ? "comment" : (string ?? other) !== undefined ? "string"
      : number !== undefined ? "number" : keywords.has(word) ? "keyword" : null;
    if (kind !== null) yield [kind, found.index, found.index + found[0].length];
  }
}

/** The text nodes of a line of code. */
function* codeNodes(line) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest(".number, .left-out, .match-number, .boilerplate")) yield walker.currentNode;
  }
}

/** Colors the text nodes that show a text, or some lines of it. `starts` has the place of each node in the text. */
function colorNodes(nodes, starts, parts) {
  if (!("highlights" in CSS)) return;
  let first = 0;
  for (const [kind, start, end] of parts) {
    const highlight = CSS.highlights.get(kind) ?? new Highlight();
    CSS.highlights.set(kind, highlight);
    while (first < nodes.length && starts[first] + nodes[first].length <= start) first++;
    for (let at = first; at < nodes.length && starts[at] < end; at++) {
      highlight.add(new StaticRange({
        startContainer: nodes[at], startOffset: Math.max(start - starts[at], 0),
        endContainer: nodes[at], endOffset: Math.min(end - starts[at], nodes[at].length),
      }));
    }
  }
}

/** Colors texts: the language of each, and the elements with its lines. */
function colorCode(texts) {
  for (const [language, elements] of texts) {
    const nodes = elements.flatMap((element) => [...codeNodes(element)]);
    const starts = [];
    let text = "";
    for (const { data } of nodes) {
      starts.push(text.length);
      text += data;
    }
    colorNodes(nodes, starts, coloredParts(text, language));
  }
}
