/**
 * The kernel as WebAssembly: makes the documents of files as the native kernel does. A grammar is loaded when a file
 * needs it. `kernel/src/c_border.rs` describes the calls.
 */

import { decode, hasOwnNewlines, newlines } from "./mapped.js";
import { Answer, Request } from "./messages.js";
import { Reading } from "./reading.js";

/** The sections of a module: with the request that sets its rules or tables, and with the model of code in general. */
const [SECTION, BACKGROUND] = ["wherefrom", "background"];
const [LATE, TOO_LARGE] = [-2, -4];

/** A call that the kernel refused. */
export class KernelError extends Error {
  constructor(code) {
    super(`the kernel refused a call (${code}); its files are of different versions, so load all of them again`);
    this.code = code;
  }
}

export class Kernel {
  /** The value of rules.json. */
  rules;
  #exports;
  #reading;
  #source;
  #limits;
  #schemes;
  #module;
  #grammars = new Map();

  /**
   * @param {object} given
   * @param {ArrayBuffer | Uint8Array | WebAssembly.Module} given.kernelBytes kernel.wasm
   * @param {object} given.rules the value of rules.json
   * @param {(name: string) => Promise<ArrayBuffer | Uint8Array | WebAssembly.Module>} [given.grammar] gives
   *   grammars/NAME.wasm; not needed to compare
   * @param {object} [given.limits] which files are skipped, beside those of the rules: maxFileSize (bytes),
   *   parseSeconds, includeGenerated, includeData
   * @returns {Promise<Kernel>}
   */
  static async load({ kernelBytes, rules, grammar, limits = {} }) {
    const module = await compiled(kernelBytes);
    const holder = {};
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system(holder) });
    holder.memory = instance.exports.memory;
    instance.exports._initialize();
    const kernel = new Kernel(instance.exports, rules, grammar, limits, module);
    kernel.#send("kernel_rules", section(module));
    return kernel;
  }

  constructor(exports, rules, grammar, limits, module) {
    this.#module = module;
    this.rules = rules;
    this.#exports = exports;
    this.#reading = new Reading(rules);
    this.#source = grammar;
    this.#limits = { ...rules.limits, ...limits };
    this.#schemes = rules.schemes;
  }

  /** The bytes of memory in use. It grows with the largest file and never shrinks. */
  get memory() {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Makes the document of a file. No content causes an error, but the parser may run out of memory, which ends the
   * kernel with a `WebAssembly.RuntimeError`: load another one then.
   *
   * @param {string} path the file name in it helps to guess the language, and to decide whether the file is skipped
   * @param {Uint8Array} bytes
   * @param {{ language?: string }} [options] the language, if it is known
   * @returns {Promise<{ skipped: string } | { language: string, languages: string[], tokens: number, errors: number,
   *   stream: Uint8Array, terms: (Uint8Array | null)[] }>} the reason why the file is skipped (`model.SkipReason`); or
   *   its language and those of all its parts, the numbers of tokens and errors, the stored token stream, and for each
   *   scheme the distinct terms, ascending (8 bytes each), null if there are none
   */
  async read(path, bytes, { language } = {}) {
    const skipped = this.#reading.skipReason(path, bytes, this.#limits);
    if (skipped !== null) return { skipped };
    const decoded = decode(bytes);
    const text = decoded === null ? bytes : decoded.text;
    const whole = language ?? this.#reading.guess(path, text);
    const segments = this.#reading.segments(whole, text);
    const grammars = new Map();
    for (const { language: name } of segments) {
      if (this.#reading.hasGrammar(name) && !grammars.has(name)) grammars.set(name, await this.#grammar(name));
    }
    const request = new Request()
      .bytes(bytes)
      .wide(BigInt(Math.round(this.#limits.parseSeconds * 1e9)))
      .option(hasOwnNewlines(bytes) ? newlines(bytes) : null, (to, ends) => to.numbers(ends))
      .list(segments, (to, segment) => this.#addPart(to, segment, bytes, decoded, grammars));
    try {
      return this.#document(this.call("kernel_document", request), whole, segments);
    } catch (error) {
      if (error instanceof KernelError && error.code === LATE) return { skipped: "parse_timeout" };
      if (error instanceof KernelError && error.code === TOO_LARGE) return { skipped: "too_large" };
      throw error;
    }
  }

  /**
   * Calls a function of the kernel. Read the whole answer before the next call.
   * @param {string} name
   * @param {Request} request
   * @returns {Answer}
   */
  call(name, request) {
    const at = this.#exports.kernel_request(request.length);
    request.write(new Uint8Array(this.#exports.memory.buffer), at >>> 0);
    return this.#answer(this.#exports[name]());
  }

  /** Begins a comparison, and ends the one before. */
  beginComparison() {
    this.#send("comparison_begin", section(this.#module, BACKGROUND));
  }

  #addPart(to, segment, content, decoded, grammars) {
    const opening = this.#reading.opening(segment);
    const isWhole = segment.text === content && opening.length === 0;
    const place = segment.origin === null ? decoded : segment.origin.after(decoded);
    to.text(segment.language)
      .option(grammars.get(segment.language), (to, number) => to.number(number))
      .option(isWhole ? null : segment.text, (to, text) => to.bytes(joined(opening, text)))
      .number(opening.length)
      .option(place, (to, { offsets, stops }) => to.numbers(offsets).numbers(stops));
  }

  #document(answer, language, segments) {
    const [tokens, errors, unparsed] = [answer.number(), answer.wide(), answer.wide()];
    const [stream, owners] = [answer.bytes(), answer.numbers()];
    const terms = this.#schemes.map(() => answer.option((from) => from.wides()));
    const languages = new Set([language, ...Array.from(owners, (owner) => segments[owner].language)]);
    return { language, languages: [...languages].sort(), tokens, errors, unparsed, stream, terms };
  }

  /** The number of a language's grammar, which is loaded on first use. */
  #grammar(language) {
    if (!this.#grammars.has(language)) {
      const loaded = this.#load(language);
      loaded.catch(() => this.#grammars.delete(language)); // the next file tries again
      this.#grammars.set(language, loaded);
    }
    return this.#grammars.get(language);
  }

  async #load(language) {
    const module = await compiled(await this.#source(language));
    const exports = await linked(module, this.#exports);
    const [make] = Object.keys(exports).filter((name) => name.startsWith("tree_sitter_"));
    return this.#send("kernel_grammar", section(module), exports[make]()).number();
  }

  #send(name, bytes, ...more) {
    const at = this.#exports.kernel_request(bytes.length);
    new Uint8Array(this.#exports.memory.buffer).set(bytes, at >>> 0);
    return this.#answer(this.#exports[name](...more));
  }

  #answer(length) {
    if (length < 0) throw new KernelError(length);
    return new Answer(new Uint8Array(this.#exports.memory.buffer, this.#exports.kernel_answer() >>> 0, length));
  }
}

async function compiled(given) {
  return given instanceof WebAssembly.Module ? given : WebAssembly.compile(given);
}

function section(module, name = SECTION) {
  const [found] = WebAssembly.Module.customSections(module, name);
  return new Uint8Array(found);
}

function joined(first, second) {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/** What the C library asks of the system: the clock of the time limit. It has no files. */
function system(holder) {
  const refused = () => 52; // "not supported"
  const clock = (_id, _precision, at) => {
    new DataView(holder.memory.buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  };
  return { clock_time_get: clock, fd_close: refused, fd_seek: refused, fd_write: refused };
}

/** Links a grammar, a position-independent module, into the memory and the table of the kernel. */
async function linked(module, kernel) {
  const [size, alignment, functions] = needs(module);
  const align = 1 << alignment;
  const begin = kernel.calloc(1, size + align) >>> 0;
  if (begin === 0) throw new RangeError("there is no memory for a grammar");
  const fixed = (value) => new WebAssembly.Global({ value: "i32", mutable: false }, value);
  const env = {
    memory: kernel.memory,
    __indirect_function_table: kernel.__indirect_function_table,
    __stack_pointer: kernel.__stack_pointer,
    __memory_base: fixed(Math.ceil(begin / align) * align),
    __table_base: fixed(kernel.__indirect_function_table.grow(functions)),
  };
  const imports = { env, "GOT.mem": {} };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (from === "GOT.mem") imports[from][name] = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
    else if (kind === "function") env[name] = kernel[`kernel_${name}`] ?? kernel[name] ?? (() => kernel.abort());
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  exports.__wasm_apply_data_relocs?.();
  return exports;
}

/** The bytes of memory, their alignment (as a power of 2), and the places in the table that a grammar needs. */
function needs(module) {
  const [bytes] = WebAssembly.Module.customSections(module, "dylink.0").map((found) => new Uint8Array(found));
  let at = 0;
  const number = () => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    return value;
  };
  while (at < bytes.length) {
    const [kind, length] = [number(), number()];
    if (kind === 1) return [number(), number(), number()];
    at += length;
  }
  throw new TypeError("a grammar says how much memory it needs");
}
