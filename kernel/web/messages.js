/**
 * Requests and answers of the kernel as bytes, as `kernel/src/c_border/messages.rs` reads and writes them. Numbers are
 * little-endian, which all machines with WebAssembly are.
 */

/** A request. Each method adds a value and returns the request. */
export class Request {
  #parts = [];
  #length = 0;

  number(value) {
    return this.#add(new Uint8Array(Uint32Array.of(value).buffer));
  }

  /** @param {bigint} value */
  wide(value) {
    return this.#add(new Uint8Array(BigUint64Array.of(value).buffer));
  }

  flag(value) {
    return this.#add(Uint8Array.of(value ? 1 : 0));
  }

  /** @param {Uint8Array} value */
  bytes(value) {
    return this.number(value.length).#add(value);
  }

  /** @param {string} value */
  text(value) {
    return this.bytes(new TextEncoder().encode(value));
  }

  /** @param {Uint32Array} values */
  numbers(values) {
    return this.number(values.length).#add(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }

  /** Terms as `Kernel.read` gives them: numbers of 8 bytes. */
  wides(values) {
    return this.number(values.length / 8).#add(values);
  }

  /** Adds what `add` adds of a value, behind a flag that says whether there is a value. */
  option(value, add) {
    const is = value !== null && value !== undefined;
    this.flag(is);
    if (is) add(this, value);
    return this;
  }

  list(values, add) {
    this.number(values.length);
    for (const value of values) add(this, value);
    return this;
  }

  get length() {
    return this.#length;
  }

  /** Writes the request into memory. */
  write(memory, at) {
    for (const part of this.#parts) {
      memory.set(part, at);
      at += part.length;
    }
  }

  #add(part) {
    this.#parts.push(part);
    this.#length += part.length;
    return this;
  }
}

/** An answer. Each method takes a copy of its next value. */
export class Answer {
  #view;
  #at = 0;

  /** @param {Uint8Array} bytes the answer in the memory of the kernel, which the next call changes */
  constructor(bytes) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  number() {
    return this.#view.getUint32(this.#moved(4), true);
  }

  /** @returns {number} a number of 8 bytes, rounded beyond 2^53 */
  wide() {
    return Number(this.#view.getBigUint64(this.#moved(8), true));
  }

  /** @returns {number} a floating-point number */
  real() {
    return this.#view.getFloat64(this.#moved(8), true);
  }

  flag() {
    return this.#view.getUint8(this.#moved(1)) !== 0;
  }

  bytes() {
    return this.#taken(this.number());
  }

  numbers() {
    return new Uint32Array(this.#taken(4 * this.number()).buffer);
  }

  /** @returns {Uint8Array} numbers of 8 bytes */
  wides() {
    return this.#taken(8 * this.number());
  }

  option(value) {
    return this.flag() ? value(this) : null;
  }

  list(value) {
    return Array.from({ length: this.number() }, () => value(this));
  }

  #taken(length) {
    const begin = this.#view.byteOffset + this.#moved(length);
    return new Uint8Array(this.#view.buffer.slice(begin, begin + length));
  }

  #moved(length) {
    const begin = this.#at;
    this.#at += length;
    return begin;
  }
}
