/**
 * Prepares a file for the kernel: tells whether it is skipped, guesses its language, and splits it into parts in one
 * language each. The rules are those of `wherefrom/analyzers`: content.py, guessing.py, containers.py and fragments.py; their
 * data is in rules.json (`release/rules.py`).
 */

import { Mapped, bytesOf, concatenate, fromWide, hasWideMark, isWide, latin1 } from "./mapped.js";

const BLANKS = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20];
const FEED = 0x0a;
const NO_CHARACTER = latin1(new TextEncoder().encode("\ufffd"));
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A part of a file in one language; `origin` is null if positions are the same in the file.
 * @typedef {{ language: string, text: Uint8Array, origin: Mapped | null }} Segment
 */

/** A regular expression of rules.json. */
const form = ([source, flags], more = "") => new RegExp(source, flags + more);

export class Reading {
  #skips;
  #guesses;
  #containers;
  #fragments;
  #languages;
  #byName = new Map();
  #byExtension = new Map();
  #byFilename = new Map();
  #byInterpreter = new Map();
  #claims = [];

  constructor(rules) {
    const { skips, guesses, containers, fragments, languages } = rules;
    this.#skips = {
      ...skips,
      archiveExtensions: new Set(skips.archiveExtensions),
      dataExtensions: new Set(skips.dataExtensions),
      generated: new RegExp(skips.generated),
      minified: new RegExp(skips.minified),
      longestLines: new Map(Object.entries(skips.longestLines)),
      generatedLine: form(skips.generatedLine, "y"),
      control: Uint8Array.from({ length: 256 }, (_, byte) => skips.control.includes(byte)),
    };
    this.#guesses = { shebang: form(guesses.shebang, "y"), version: form(guesses.version) };
    this.#containers = {
      fence: form(containers.fence, "y"),
      fenceLabel: form(containers.fenceLabel, "y"),
      markup: form(containers.markup, "g"),
      ends: new Map(Object.entries(containers.ends).map(([tag, end]) => [tag, form(end, "g")])),
      islands: new Map(Object.entries(containers.islands)),
      csharp: form(containers.csharp),
      java: form(containers.java),
      ruby: form(containers.ruby),
      attribute: form(containers.attribute, "g"),
      scriptTypes: new Map(Object.entries(containers.scriptTypes)),
      jsonToken: form(containers.jsonToken, "g"),
      jsonEscape: form(containers.jsonEscape, "g"),
      jsonLetters: new Map(Object.entries(containers.jsonLetters)),
      magic: form(containers.magic, "g"),
      cellMagic: form(containers.cellMagic, "y"),
    };
    this.#fragments = { tag: form(fragments.tag), code: form(fragments.code) };
    this.#languages = new Map(Object.entries(languages));
    for (const [name, language] of this.#languages) {
      for (const each of [name, ...language.aliases]) this.#byName.set(each, name);
      for (const each of language.extensions) this.#byExtension.set(each, name);
      for (const each of language.filenames) this.#byFilename.set(each, name);
      for (const each of language.interpreters) this.#byInterpreter.set(each, name);
      for (const { ending, line, word } of language.claims) {
        this.#claims.push({ name, ending, line: form(line), word: word && form(word) });
      }
    }
  }

  /** Whether the kernel needs a grammar for a language. */
  hasGrammar(language) {
    return this.#languages.get(language).hasGrammar;
  }

  /** The reason why a file is skipped, a value of `model.SkipReason`; null if it is not. */
  skipReason(path, content, limits) {
    const { lfs } = this.#skips;
    if (content.every((byte) => BLANKS.includes(byte))) return "empty";
    if (latin1(content.subarray(0, lfs.length)) === lfs) return "git_lfs";
    const { maxFileSize } = limits;
    if (content.length > maxFileSize && this.#readBytes(path, content, limits) > maxFileSize) return "too_large";
    const reason = this.nameReason(path, limits, content);
    return reason !== "archive" && this.#isBinary(content) ? "binary" : reason;
  }

  /** The size of the largest file with this name that is looked at. */
  mostBytes(path, { maxFileSize }) {
    return maxFileSize * (path.toLowerCase().endsWith(this.#skips.notebook) ? this.#skips.outputs : 1);
  }

  #readBytes(path, content, limits) {
    const isNotebook = path.toLowerCase().endsWith(this.#skips.notebook);
    if (!isNotebook || content.length > this.mostBytes(path, limits)) return content.length;
    return this.segments("jupyter", content).reduce((sum, { text }) => sum + text.length, 0);
  }

  /** The reason why a file is skipped by its name; null if the name does not decide. The content may be unknown. */
  nameReason(path, limits, content = new Uint8Array(0)) {
    const name = nameOf(path);
    if (this.#skips.archiveExtensions.has(extension(name))) return "archive";
    if (!limits.includeGenerated && this.#isGenerated(name, content)) return "generated";
    if (!limits.includeData && this.#skips.dataExtensions.has(extension(name))) return "data_file";
    if (!limits.includeGenerated && this.#isMinified(name, content)) return "minified";
    return null;
  }

  /** The language of a file; `content` is UTF-8. */
  guess(path, content) {
    const name = nameOf(path);
    const named = this.#byFilename.get(name) ?? this.#byExtension.get(extension(name));
    if (named === undefined || !this.hasGrammar(named)) return this.#byShebang(content) ?? named ?? "text";
    const claims = this.#claims.filter(({ ending }) => name.endsWith(ending) && ending === extension(name));
    const text = claims.length ? latin1(content) : "";
    return claims.find(({ line, word }) => word?.test(text) || line.test("\n" + text))?.name ?? named;
  }

  /**
   * Splits a file (UTF-8) into parts in one language each.
   * @returns {Segment[]}
   */
  segments(language, content) {
    const whole = [{ language, text: content, origin: null }];
    if (language === "markdown") return this.#markdown(content);
    if (language === "html") return this.#html(content);
    if (language === "jupyter") return this.#notebook(content) ?? [{ ...whole[0], language: "text" }];
    return whole;
  }

  /** The text that the grammar requires before a part of a file, and that the part lacks; may be empty. */
  opening({ language, text, origin }) {
    const wanted = this.#languages.get(language).opening;
    if (origin === null || wanted === null) return new Uint8Array(0);
    const [mark, before] = wanted;
    const fragment = latin1(text);
    let at = fragment.indexOf(mark);
    while (at >= 0 && this.#isInLiteral(fragment.slice(0, at))) at = fragment.indexOf(mark, at + 1);
    return bytesOf(at < 0 ? before : "");
  }

  /** Whether a position is after an open quote in its line, behind code and no tags. */
  #isInLiteral(before) {
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const isQuoted = ["'", '"'].some((quote) => line.split(quote).length % 2 === 0);
    return isQuoted && this.#fragments.code.test(before) && !this.#fragments.tag.test(before);
  }

  #isBinary(content) {
    if (hasWideMark(content)) return false;
    const wide = isWide(content);
    const zeros = wide ? 0 : content.reduce((sum, byte) => sum + !byte, 0);
    if (zeros > this.#skips.mostZeros || latin1(content.subarray(0, 5)) === "%PDF-") return true;
    let sample = content.subarray(0, this.#skips.sample);
    if (wide) sample = bytesOf(latin1(fromWide(sample).text).replaceAll(NO_CHARACTER, "\0"));
    let control = 0;
    for (const byte of sample) control += this.#skips.control[byte];
    return control > Math.max(1, this.#skips.controlShare * sample.length);
  }

  #isGenerated(name, content) {
    if (this.#skips.generated.test(name)) return true;
    const header = latin1(content.subarray(0, this.#skips.header));
    const hasWord = (text) => this.#skips.generatedWords.some((word) => text.toLowerCase().includes(word));
    const says = (line) => hasWord(line) && begins(this.#skips.generatedLine, line);
    return hasWord(header) && header.split(/\r\n|\r|\n/).some(says);
  }

  #isMinified(name, content) {
    if (this.#skips.minified.test(name)) return true;
    const longest = this.#skips.longestLines.get(extension(name));
    if (longest === undefined || content.length < this.#skips.minifiedSize) return false;
    let lines = 1;
    for (let at = content.indexOf(FEED); at >= 0; at = content.indexOf(FEED, at + 1)) lines++;
    return content.length > longest * lines;
  }

  #byShebang(content) {
    const match = begins(this.#guesses.shebang, latin1(content.subarray(0, 200)));
    if (!match) return undefined;
    for (const word of [match[1], ...match[2].split(/[\t-\r ]+/).filter(Boolean)]) {
      const program = nameOf(decoded(word)).replace(this.#guesses.version, "");
      if (program !== "env" && !program.startsWith("-") && !program.includes("=")) {
        return this.#byInterpreter.get(program);
      }
    }
    return undefined;
  }

  /** The language with a name or alias if it has a grammar. */
  #leaf(name) {
    const found = this.#byName.get(stripped(name).toLowerCase());
    return found !== undefined && this.hasGrammar(found) ? found : undefined;
  }

  #markdown(content) {
    const whole = Mapped.identity(content);
    const parts = [];
    let position = 0;
    const add = (language, start, end) => parts.push(segment(language, whole.cut(start, end)));
    for (const { begin, end, outerBegin, outerEnd, label } of this.#fences(content)) {
      add("text", position, outerBegin);
      add(this.#leaf(label) ?? "text", begin, end);
      position = outerEnd;
    }
    add("text", position, content.length);
    return parts;
  }

  *#fences(content) {
    const { fence: mark, fenceLabel } = this.#containers;
    let [opening, position] = [null, 0];
    const made = (end, outerEnd) => {
      const label = begins(fenceLabel, stripped(decoded(opening.info)));
      return { ...opening, end, outerEnd, label: label ? label[1] : "" };
    };
    for (const [line] of latin1(content).matchAll(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g)) {
      const end = position + line.length;
      const fence = begins(mark, line)?.groups;
      if (opening === null) {
        if (fence && !(fence.mark.startsWith("`") && fence.info.includes("`"))) {
          opening = { mark: fence.mark, info: fence.info, outerBegin: position, begin: end };
        }
      } else if (fence && fence.mark.startsWith(opening.mark) && !/[^\t-\r ]/.test(fence.info)) {
        yield made(position, end);
        opening = null;
      }
      position = end;
    }
    if (opening !== null) yield made(position, position);
  }

  #html(content) {
    const { markup, ends } = this.#containers;
    const [whole, text, rest, parts] = [Mapped.identity(content), latin1(content), content.slice(), []];
    const islands = new Map();
    let position = 0;
    for (let match; (match = from(markup, text, position)); ) {
      const { mark, island, attributes } = match.groups;
      const tag = (match.groups.tag ?? mark ?? island).toLowerCase();
      let start = match.index + match[0].length;
      const end = from(ends.get(tag), text, start);
      position = end?.index ?? content.length;
      const part = whole.cut(start, position);
      const language = island === undefined ? this.#embedded(tag, attributes ?? "") : undefined;
      if (island !== undefined) {
        const { offsets, stops } = whole.cut(position, position + 1);
        if (!islands.has(tag)) islands.set(tag, []);
        islands.get(tag).push(part, new Mapped(bytesOf("\n".slice(0, stops.length)), offsets, stops));
        [start, position] = [match.index, position + (end?.[0].length ?? 0)];
      } else if (language !== undefined) {
        parts.push(segment(language, part));
      } else {
        continue;
      }
      for (let at = start; at < position; at++) if (rest[at] !== 0x0a && rest[at] !== 0x0d) rest[at] = 0x20;
    }
    for (const [tag, found] of islands) {
      const code = concatenate(found);
      parts.push(segment(this.#containers.islands.get(tag) ?? this.#ofIslands(text, latin1(code.text)), code));
    }
    return [{ language: "html", text: rest, origin: null }, ...parts];
  }

  /** The language of the code after `<%` in a template. */
  #ofIslands(text, code) {
    if (this.#containers.csharp.test(text)) return "csharp";
    if (this.#containers.java.test(text)) return "java";
    return this.#containers.ruby.test(code) ? "ruby" : "javascript";
  }

  /** The language of a script or style element. */
  #embedded(tag, attributes) {
    if (tag === "style") return "css";
    if (tag !== "script") return undefined;
    const found = [...attributes.matchAll(this.#containers.attribute)];
    const values = new Map(found.map(([, name, value]) => [name.toLowerCase(), decoded(value).toLowerCase()]));
    const label = values.get("lang") || values.get("type") || "javascript";
    return this.#leaf(this.#containers.scriptTypes.get(label) ?? label);
  }

  /** The cells of a notebook; undefined if the content is not a notebook. */
  #notebook(content) {
    const document = parsed(utf8.decode(content), this.#containers.jsonToken);
    const isObject = typeof document === "object" && document !== null && !Array.isArray(document);
    if (!isObject || !(Object.hasOwn(document, "cells") || Object.hasOwn(document, "worksheets"))) return undefined;
    const whole = Mapped.identity(content);
    const text = latin1(content);
    const cells = new Map();
    let kernel = "";
    for (const [path, start, end] of strings(text, this.#containers.jsonToken)) {
      const last = path.slice(-2).join("\0");
      if (["kernelspec\0language", "language_info\0name"].includes(last) && path[0] === "metadata") {
        kernel ||= decoded(text.slice(start, end));
      }
      const place = path[0] === "cells" ? 2 : path[0] === "worksheets" && path[2] === "cells" ? 4 : 0;
      if (place === 0 || path.length <= place) continue;
      const key = JSON.stringify(path.slice(0, place));
      if (!cells.has(key)) cells.set(key, { kind: "", source: [] });
      const [cell, inside] = [cells.get(key), path.slice(place)];
      const isLine = inside.length === 1 || (inside.length === 2 && typeof inside[1] === "number");
      if (inside.length === 1 && inside[0] === "cell_type") cell.kind = text.slice(start, end);
      else if (["source", "input"].includes(inside[0]) && isLine) {
        const unescaped = (match) => this.#unescaped(match);
        cell.source.push(whole.cut(start, end).substitute(this.#containers.jsonEscape, unescaped));
      }
    }
    const language = this.#leaf(kernel) ?? (kernel ? "text" : "python");
    const filled = [...cells.values()].filter(({ source }) => source.length);
    return filled.map(({ kind, source }) => this.#cell(kind, language, concatenate(source)));
  }

  #cell(kind, language, source) {
    if (kind !== "code") return segment("text", source);
    if (language !== "python") return segment(language, source);
    const magic = begins(this.#containers.cellMagic, latin1(source.text));
    const named = magic ? this.#leaf(magic[1]) : undefined;
    const plain = source.substitute(this.#containers.magic, (match) => new Uint8Array(match[0].length).fill(0x20));
    return segment(named ?? language, plain);
  }

  #unescaped([, high, low, unit, letter]) {
    const encoded = (point) => new TextEncoder().encode(String.fromCodePoint(point));
    if (high) return encoded(0x10000 + ((parseInt(high, 16) & 0x3ff) << 10) + (parseInt(low, 16) & 0x3ff));
    if (!unit) return bytesOf(this.#containers.jsonLetters.get(letter) ?? letter);
    const point = parseInt(unit, 16);
    return point >= 0xd800 && point < 0xe000 ? bytesOf("?") : encoded(point);
  }
}

const segment = (language, part) => ({ language, text: part.text, origin: part });

const nameOf = (path) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();

/** The ending of a file name with its dot; empty for a name such as `.profile`. */
function extension(name) {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot) : "";
}

/** The text of bytes, given as a string with a character for each of them. */
const decoded = (bytes) => utf8.decode(bytesOf(bytes));

/** A text without the white space of Python at its ends. */
const stripped = (text) => text.replace(/^[\t-\r\x1c-\x20\x85\p{Z}]+|[\t-\r\x1c-\x20\x85\p{Z}]+$/gu, "");

/** The match of a sticky expression at the beginning of a text. */
function begins(form, text) {
  form.lastIndex = 0;
  return form.exec(text);
}

/** The first match of a global expression from a position on. */
function from(form, text, position) {
  form.lastIndex = position;
  return form.exec(text);
}

/** The value of a JSON text, with the numbers that Python allows in it; undefined if it is not valid. */
function parsed(text, token) {
  const plain = () => text.replace(token, (each) => (/^(?:NaN|-?Infinity)$/.test(each) ? "0" : each));
  for (const made of [() => text, plain]) {
    try {
      return JSON.parse(made());
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

/** For each string value in valid JSON: its path of keys and indices, and its span without quotes. */
function* strings(text, token) {
  const path = [];
  let keyComes = false;
  for (const match of text.matchAll(token)) {
    const [found] = match;
    if (found === "{") {
      path.push("");
      keyComes = true;
    } else if (found === "[") {
      path.push(0);
      keyComes = false;
    } else if (found === "}" || found === "]") {
      path.pop();
      keyComes = false;
    } else if (found === ",") {
      const last = path.at(-1);
      keyComes = typeof last === "string";
      if (!keyComes) path[path.length - 1] = last + 1;
    } else if (found === ":") {
      keyComes = false;
    } else if (found.startsWith('"') && keyComes) {
      path[path.length - 1] = found.slice(1, -1);
    } else if (found.startsWith('"') && path.length) {
      yield [[...path], match.index + 1, match.index + found.length - 1];
    }
  }
}
