/**
 * A comparison in the page: the kernel counts, matches and pairs, as it does for `wherefrom compare`.
 * `kernel/src/c_border/comparing.rs` describes the calls.
 */

import { Request } from "./messages.js";

/** The roles in the order of `results.Role`. */
const ROLES = ["submission", "archive", "with"];

/** A comparison. A kernel has at most one at a time: making another one ends the one before. */
export class Comparison {
  #kernel;
  #given;
  #mostTemplate;
  #languages = [];
  #submissions = [];

  /**
   * @param {import("./kernel.js").Kernel} kernel needs no grammars
   * @param {{ minTokens?: number, minContainment?: number, maxShare?: number, limit?: number,
   *   clusterSimilarity?: number }} [options] as those of `wherefrom compare`, which have the same defaults
   */
  constructor(kernel, options = {}) {
    const { numbers, options: defaults, mostTemplate } = kernel.rules.compare;
    this.#kernel = kernel;
    this.#mostTemplate = mostTemplate;
    this.#given = { ...numbers };
    for (const [name, value] of Object.entries(defaults)) {
      const own = name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
      this.#given[name] = options[own] ?? value;
    }
    kernel.beginComparison();
  }

  /**
   * Adds a text. Files with equal contents are one text.
   *
   * @param {{ stream: Uint8Array, terms: (Uint8Array | null)[], language: string }} document as `Kernel.read` makes it
   * @returns {number} its number
   */
  addText({ stream, terms, language }) {
    const request = new Request().bytes(stream);
    for (const own of terms) request.option(own, (to, values) => to.wides(values));
    this.#languages.push(language);
    return this.#kernel.call("comparison_text", request).number();
  }

  /**
   * Adds template code, which is ignored in every file.
   *
   * @param {{ stream: Uint8Array }} document as `Kernel.read` makes it
   * @returns {number} the k-grams of all template code so far; 0 if it is too short to be found
   * @throws {RangeError} there is too much template code
   */
  addTemplate({ stream }) {
    const found = this.#kernel.call("comparison_template", new Request().bytes(stream)).number();
    if (found > this.#mostTemplate) {
      throw new RangeError(`the template has more than ${this.#mostTemplate} k-grams; give fewer files`);
    }
    return found;
  }

  /**
   * Adds a submission.
   *
   * @param {object} submission
   * @param {string} submission.name unique among the submissions of a role
   * @param {"submission" | "archive" | "with"} submission.role
   * @param {string | null} [submission.author]
   * @param {{ text: number, path: string, size: number }[]} submission.files each with the number of its text, and the
   *   number of its bytes
   */
  addSubmission({ name, role, author = null, files }) {
    this.#submissions.push({ name, role, author, files: [...files].sort((one, other) => order(one.path, other.path)) });
  }

  /**
   * Compares everything that was added, and ends the comparison.
   *
   * @param {(stage: "counting" | "comparing" | "done", done: number, total: number) => void} [progress] is told the
   *   stage, and how many of its texts or pairs of files are done
   * @returns {object} `counts`, `cut_off`, `files`, `submissions`, `pairs` and `clusters` as
   *   `wherefrom compare --format json` writes them: submissions are in the order of role and name. Files have the number
   *   of their `text` too, regions their `gaps`, and matches their `facing` lines.
   */
  run(progress = () => {}) {
    progress("counting", 0, 0);
    const files = this.#send();
    const lines = Object.entries(this.#given).map(([name, value]) => `${name} ${value}\n`);
    const chosen = this.#kernel.call("comparison_choose", new Request().text(lines.join("")));
    const [total, toMask] = [chosen.number(), chosen.numbers()];
    toMask.forEach((text, done) => {
      this.#kernel.call("comparison_mask", new Request().number(text));
      progress("counting", done + 1, toMask.length);
    });
    for (let done = 1; this.#kernel.call("comparison_step", new Request()).flag(); done++) {
      progress("comparing", Math.min(done, total), total);
    }
    const answer = this.#kernel.call("comparison_answer", new Request()).bytes();
    const result = this.#result(JSON.parse(new TextDecoder().decode(answer)), files);
    progress("done", total, total);
    return result;
  }

  /** Gives the submissions to the kernel, and returns their files. */
  #send() {
    const authors = new Map();
    const rank = ({ role }) => ROLES.indexOf(role);
    this.#submissions.sort((one, other) => rank(one) - rank(other) || order(one.name, other.name));
    this.#submissions.forEach(({ name, author, files, ...own }, number) => {
      if (author !== null && !authors.has(author)) authors.set(author, authors.size);
      const request = new Request()
        .text(name)
        .number(rank(own))
        .wide(BigInt(author === null ? 2 * number : 2 * authors.get(author) + 1))
        .numbers(Uint32Array.from(files, ({ text }) => text));
      this.#kernel.call("comparison_submission", request);
    });
    return this.#submissions.flatMap(({ files }) => files);
  }

  /** The answer of the kernel, with what only the page knows. */
  #result({ counts, cut_off, files: found, submissions, pairs, clusters }, files) {
    for (const region of pairs.flatMap((pair) => pair.files).flatMap((pair) => pair.regions)) {
      region.facing = inPairs(region.facing);
      for (const side of [region.left, region.right]) side.gaps = inPairs(side.gaps);
    }
    for (const region of found.flatMap((file) => file.boilerplate)) region.gaps = inPairs(region.gaps);
    return {
      counts: { ...counts, size: files.reduce((sum, file) => sum + file.size, 0) },
      cut_off,
      files: found.map((file, at) => ({ ...file, ...files[at], language: this.#languages[files[at].text] })),
      submissions: submissions.map((each, at) => {
        const { name, author } = this.#submissions[at];
        return { ...each, name, author };
      }),
      pairs,
      clusters,
    };
  }
}

/** The order of two texts by their code points, as Python sorts them. */
function order(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return (one.codePointAt(at) ?? -1) - (other.codePointAt(at) ?? -1);
}

/** @param {number[]} values the numbers of all pairs in turn */
function inPairs(values) {
  return Array.from({ length: values.length / 2 }, (_, at) => [values[2 * at], values[2 * at + 1]]);
}
