// The work of the page, without its looks: reads files, has them analyzed, and compares submissions.

import { Analysis } from "./analysis.js";
import { Comparing } from "./comparing.js";
import { Reading } from "./reading.js";
import { unwrapped } from "./snippet.js";
import { byCodePoints } from "./sources.js";
import { leftOut, submissionsOf } from "./submissions.js";
import { SourceProblem, UNPACKED_BYTES } from "./zip.js";

/** So many files are read before their turn, each at most as large as the limit on files. */
const AHEAD = 8;

/** The key of a content: its SHA-256 in hexadecimal digits. */
async function keyOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Compares sources. What was analyzed is kept, so that a further comparison is quick. After `stop` it cannot be used;
 * `stopping` is aborted then.
 */
export class Work {
  /** @param {{kernel: WebAssembly.Module, rules: object, grammars: import("./grammars.js").Grammars}} parts */
  constructor(parts) {
    this.parts = parts;
    this.limits = parts.rules.limits;
    this.reading = new Reading(parts.rules);
    this.known = new Map();
    this.analysis = null;
    this.comparing = null;
    this.controller = new AbortController();
    this.stopping = this.controller.signal;
  }

  /** Ends all workers; a comparison that was running fails, or is never settled. */
  stop() {
    this.controller.abort();
    this.analysis?.stop();
    this.comparing?.stop();
  }

  /**
   * Compares sources, and a snippet with them.
   * @param {object} asked
   * @param {{source: import("./sources.js").Source, role: string}[]} asked.sources
   * @param {"file" | "folder" | "repository"} asked.by
   * @param {string} asked.snippet  pasted text, or empty
   * @param {string} asked.language  of the snippet; empty for that of most files
   * @param {(state: {stage: string, done: number, total: number, bytes?: number}) => void} progress
   * @returns {Promise<{result: object, entries: object[], skipped: {path: string, reason: string}[],
   *   first: number | null, snippet: {language: string, reason: string | null} | null}>} `entries` has the entry of
   *   each file of the result; `first` is the snippet's submission; `snippet` says how the snippet was read, or why not
   */
  async compare({ sources, by, snippet, language }, progress) {
    const { kernel, rules } = this.parts;
    this.comparing ??= new Comparing(kernel, rules);
    this.analysis = new Analysis(kernel, rules, this.parts.grammars);
    const skipped = [];
    const submissions = submissionsOf(sources, by);
    const templates = sources.filter(({ role }) => role === "template").flatMap(({ source }) => (
      source.entries.map((entry) => ({ path: entry.path, entry, place: `${source.name}/${entry.path}` }))
    ));
    const files = submissions.flatMap((submission) => submission.files);
    const texts = await this.read([...files, ...templates], skipped, progress);
    const own = submissions.map(({ name, role, files: inside }) => ({
      name, role, author: null, files: inside.filter((file) => texts.has(file)),
    }));
    const reasons = new Map(skipped.map(({ path, reason }) => [path, reason]));
    const reasonOf = (file) => (texts.has(file) ? null : reasons.get(file.place));
    const { isEnough, warnings } = leftOut(submissions, reasonOf, by);
    if (!isEnough && !snippet) throw new SourceProblem(warnings[0]);
    const pasted = snippet ? await this.pasted(snippet, language, texts, own, skipped) : null;
    this.stopping.throwIfAborted();
    this.analysis.stop();
    const read = own.filter((submission) => submission.files.length > 0 || by === "repository");
    const compared = [...read, ...(pasted?.submissions ?? [])];
    const asked = {
      templates: templates.filter((file) => texts.has(file)).map((file) => texts.get(file).text),
      submissions: compared.map((submission) => ({
        ...submission,
        files: submission.files.map((file) => {
          const { text, content } = texts.get(file);
          return { text, path: file.path, size: file.entry.size, blob: content };
        }),
      })),
    };
    const result = await this.comparing.compare(asked, (stage, done, total) => progress({ stage, done, total }));
    result.warnings = isEnough ? warnings : [];
    const byName = new Map(compared.map((submission) => [`${submission.role} ${submission.name}`, submission]));
    const inOrder = result.submissions.map(({ role, name }) => byName.get(`${role} ${name}`));
    const first = inOrder.indexOf(pasted?.submissions[0]);
    return { result, entries: entriesOf(result, inOrder), skipped, first: first < 0 ? null : first, snippet: pasted };
  }

  /**
   * The analyzed text of each file that is not skipped: its number, its language and the key of its content. Files with
   * equal contents are one text, that of the first of them by `byRank`, as for `wherefrom compare`. Template code is read
   * by its own name.
   */
  async read(files, skipped, progress) {
    const found = new Map();
    const firsts = new Map();
    const budget = { left: UNPACKED_BYTES };
    const running = new Set();
    let done = 0;
    let bytes = 0;
    const finish = (file, text) => {
      done++;
      bytes += file.entry.size;
      if ("skipped" in text) skipped.push({ path: file.place, reason: text.skipped });
      else found.set(file, text);
      progress({ stage: "reading", done, total: files.length, bytes });
    };
    const ahead = [];
    const turn = async () => {
      const { file, content, key } = await ahead.shift();
      this.stopping.throwIfAborted();
      const isTemplate = file.rank === undefined;
      if (key && !isTemplate && !firsts.has(key)) firsts.set(key, file.path);
      const job = this.textOf(isTemplate ? file.path : firsts.get(key), content, key).then((text) => finish(file, text));
      running.add(job);
      job.then(() => running.delete(job), () => {});
      if (running.size > 2 * this.analysis.size) await Promise.race(running);
    };
    progress({ stage: "reading", done, total: files.length, bytes });
    for (const file of this.byRank(files)) {
      ahead.push(this.content(file, budget));
      if (ahead.length > AHEAD) await turn();
    }
    while (ahead.length) await turn();
    await Promise.all(running);
    skipped.sort((left, right) => (left.path < right.path ? -1 : 1));
    return new Map(files.filter((file) => found.has(file)).map((file) => [file, found.get(file)]));
  }

  /**
   * Sorts files so that the first of those with one content decides its language: of languages of code the one that
   * most files are in, then by `rank` of `wherefrom/analyzers/guessing.py`. Template code is last.
   */
  byRank(files) {
    const counts = new Map();
    const ranked = files.map((file) => {
      const language = this.reading.guess(file.path, new Uint8Array(0));
      const source = file.rank ?? files.length;
      const [isTemplate, isProse] = [file.rank === undefined, !this.reading.hasGrammar(language)];
      if (!isTemplate) counts.set(language, (counts.get(language) ?? 0) + 1);
      return { file, isTemplate, isProse, isText: language === "text", language, source, path: file.entry.path };
    });
    const count = ({ language }) => counts.get(language) ?? 0;
    const order = (one, other) => (
      one.isTemplate - other.isTemplate || one.isProse - other.isProse || one.isText - other.isText
      || count(other) - count(one) || byCodePoints(other.language, one.language)
      || one.source - other.source || byCodePoints(one.path, other.path)
    );
    return ranked.sort(order).map(({ file }) => file);
  }

  /** A file with its content, or with why it has none, and the key of the content. */
  async content(file, budget) {
    const skip = file.entry.skip ?? this.reading.nameReason(file.path, this.limits);
    const content = skip ?? await file.entry.read(this.reading.mostBytes(file.path, this.limits), budget);
    return { file, content, key: typeof content === "string" ? "" : await keyOf(content) };
  }

  /** The text of a content in a file of some name, which is analyzed if it is a new one. */
  textOf(path, content, key, options = {}) {
    if (typeof content === "string") return Promise.resolve({ skipped: content });
    const known = JSON.stringify([key, path.slice(path.lastIndexOf("/") + 1), options.language]);
    if (!this.known.has(known)) {
      this.known.set(known, this.analysis.analyze(path, content, options).then(({ skipped, ...text }) => (
        skipped ? { skipped } : { text: this.comparing.add(text), language: text.language, content: key }
      )));
    }
    return this.known.get(known);
  }

  /** The submission of a pasted snippet, none if it is skipped, and its language. Its text is added to `texts`. */
  async pasted(snippet, language, texts, submissions, skipped) {
    const { text, label } = unwrapped(snippet);
    const bytes = new TextEncoder().encode(text);
    const chosen = language || languageOf(label, this.parts.rules.languages) || mostFrequent(texts);
    const name = uniqueName("pasted snippet", submissions);
    const entry = { path: name, size: bytes.length, read: async () => new TextEncoder().encode(text) };
    const file = { path: name, entry };
    const known = await this.textOf(name, bytes, await keyOf(bytes), chosen ? { language: chosen } : {});
    if ("skipped" in known) {
      skipped.push({ path: name, reason: known.skipped });
      return { submissions: [], language: "", reason: known.skipped };
    }
    texts.set(file, known);
    const submission = { name, role: "submission", author: null, files: [file] };
    return { submissions: [submission], language: known.language, reason: null };
  }
}

/** The entry of each file of a result. */
function entriesOf(result, submissions) {
  const places = submissions.map(({ files }) => new Map(files.map(({ path, entry }) => [path, entry])));
  return result.files.map(({ submission, path }) => places[submission].get(path));
}

function uniqueName(wanted, submissions) {
  const taken = new Set(submissions.map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted} (${number})`;
  return name;
}

/** The language that the label of a fence names, if any does. */
function languageOf(label, languages) {
  const isNamed = ([name, { aliases, extensions }]) => [name, ...aliases, ...extensions].some((each) => (
    each === label || each === `.${label}`
  ));
  return label && Object.entries(languages).find(isNamed)?.[0];
}

/** The language of most texts; empty without texts. */
function mostFrequent(texts) {
  const counts = new Map();
  for (const { language } of texts.values()) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), ["", 0])[0];
}
