/**
 * Text that was decoded, unescaped or cut out of other bytes, with the position of each byte in them: what
 * `wherefrom/support/positions.py` defines.
 */

const MARK = [0xef, 0xbb, 0xbf];
const [FEED, RETURN, SPACE] = [0x0a, 0x0d, 0x20];

/** Byte order marks, with the bytes of a unit and whether its first byte is the lowest. */
const WIDE_MARKS = [
  { bytes: [0xff, 0xfe, 0, 0], size: 4, isLittle: true },
  { bytes: [0, 0, 0xfe, 0xff], size: 4, isLittle: false },
  { bytes: [0xff, 0xfe], size: 2, isLittle: true },
  { bytes: [0xfe, 0xff], size: 2, isLittle: false },
];
const NARROW = { size: 1, isLittle: true };
const HEAD = 1024;

export class Mapped {
  /**
   * @param {Uint8Array} text
   * @param {Uint32Array} offsets where each byte begins in the original, and where the text ends in it
   * @param {Uint32Array} stops where each byte ends in the original
   */
  constructor(text, offsets, stops) {
    this.text = text;
    this.offsets = offsets;
    this.stops = stops;
  }

  static identity(content) {
    const offsets = Uint32Array.from({ length: content.length + 1 }, (_, at) => at);
    return new Mapped(content, offsets, offsets.subarray(1));
  }

  cut(start, end) {
    const [offsets, stops] = [this.offsets.subarray(start, end + 1), this.stops.subarray(start, end)];
    return new Mapped(this.text.subarray(start, end), offsets, stops);
  }

  /** Like a replacement of all matches; each byte of `replace(match)` gets the position of the whole match. */
  substitute(form, replace) {
    const parts = [];
    let done = 0;
    for (const match of latin1(this.text).matchAll(form)) {
      const [start, end, bytes] = [match.index, match.index + match[0].length, replace(match)];
      parts.push(this.cut(done, start));
      const offsets = new Uint32Array(bytes.length + 1).fill(this.offsets[start]);
      parts.push(new Mapped(bytes, offsets, new Uint32Array(bytes.length).fill(this.stops[end - 1])));
      done = end;
    }
    return parts.length ? concatenate([...parts, this.cut(done, this.text.length)]) : this;
  }

  /** The same text, with its positions in the original of `earlier`, whose text is the original of this one. */
  after(earlier) {
    if (earlier === null) return this;
    const stop = (at) => (at <= earlier.stops.length ? earlier.stops[at - 1] : earlier.offsets[earlier.text.length]);
    return new Mapped(this.text, this.offsets.map((at) => earlier.offsets[at]), this.stops.map(stop));
  }
}

/** Joins parts of one original, in order; there is at least one. */
export function concatenate(parts) {
  const length = parts.reduce((sum, part) => sum + part.text.length, 0);
  const whole = new Mapped(new Uint8Array(length), new Uint32Array(length + 1), new Uint32Array(length));
  let at = 0;
  for (const part of parts) {
    whole.text.set(part.text, at);
    whole.offsets.set(part.offsets, at);
    whole.stops.set(part.stops, at);
    at += part.text.length;
  }
  return whole;
}

/**
 * Decodes any text to UTF-8 without a byte order mark, whose lines end with a line feed alone.
 * @returns {Mapped | null} null if the content is such text already
 */
export function decode(content) {
  let mapped;
  if (isWide(content)) mapped = fromWide(content);
  else if (!isUtf8(content)) mapped = fromMixed(content);
  else if (content.includes(RETURN) || content.includes(0) || hasMark(content)) mapped = Mapped.identity(content);
  else return null;
  if (hasMark(mapped.text)) mapped = mapped.cut(MARK.length, mapped.text.length);
  const text = mapped.text.map((byte) => byte || SPACE);
  mapped = new Mapped(text, mapped.offsets, mapped.stops);
  return text.includes(RETURN) ? withoutReturns(mapped) : mapped;
}

/** Whether a content has the byte order mark of UTF-16 or UTF-32. */
export function hasWideMark(content) {
  return WIDE_MARKS.some(({ bytes }) => bytes.every((byte, at) => content[at] === byte));
}

/** The bytes of a unit of a content's encoding, and whether its first byte is the lowest. */
export function encoding(content) {
  const marked = WIDE_MARKS.find(({ bytes }) => bytes.every((byte, at) => content[at] === byte));
  if (marked) return marked;
  const head = content.subarray(0, HEAD);
  const zeros = [0, 1, 2, 3].map((place) => 8 * head.filter((byte, at) => at % 4 === place && !byte).length > head.length);
  if (zeros[2] && zeros[3] && !zeros[0]) return { size: 4, isLittle: true };
  if (zeros[0] && zeros[1] && !zeros[3]) return { size: 4, isLittle: false };
  const shape = zeros.map(Number).join("");
  return shape === "0101" ? { size: 2, isLittle: true } : shape === "1010" ? { size: 2, isLittle: false } : NARROW;
}

/** Whether a content is UTF-16 or UTF-32. */
export function isWide(content) {
  return encoding(content).size > 1;
}

/** Whether the lines of a content do not end at the bytes of line feeds. */
export function hasOwnNewlines(content) {
  return isWide(content) || (content.includes(RETURN) && !content.includes(FEED));
}

/** The byte positions of the line feeds of a content in any encoding; if there is none, those of its returns. */
export function newlines(content) {
  const [units, { size }] = [unitsOf(content), encoding(content)];
  const wanted = units.includes(FEED) ? FEED : RETURN;
  return Uint32Array.from([...units.keys()].filter((at) => units[at] === wanted), (at) => size * at);
}

/** A string with a character for each byte. */
export function latin1(bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += 8192) pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return pieces.join("");
}

/** The bytes of such a string. */
export function bytesOf(text) {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function hasMark(text) {
  return MARK.every((byte, at) => text[at] === byte);
}

function isUtf8(content) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

/** The units of a content; a part of a unit at its end is left out. */
function unitsOf(content) {
  const { size, isLittle } = encoding(content);
  if (size === 1) return content;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const unit = (at) => (size === 2 ? view.getUint16(2 * at, isLittle) : view.getUint32(4 * at, isLittle));
  return Uint32Array.from({ length: Math.floor(content.length / size) }, (_, at) => unit(at));
}

export function fromWide(content) {
  const [units, { size }] = [unitsOf(content), encoding(content)];
  const made = new Encoded(4 * units.length);
  for (let at = 0; at < units.length; ) {
    const [unit, next] = [units[at], units[at + 1]];
    if (size === 2 && unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
      made.add(0x10000 + ((unit & 0x3ff) << 10) + (next & 0x3ff), 4);
      at += 2;
    } else {
      made.add((unit >= 0xd800 && unit < 0xe000) || unit > 0x10ffff ? 0xfffd : unit, size);
      at += 1;
    }
  }
  return made.mapped();
}

function fromMixed(content) {
  const made = new Encoded(2 * content.length);
  for (let at = 0; at < content.length; ) {
    const width = sequence(content, at);
    if (width > 1) made.copy(content.subarray(at, at + width));
    else made.add(content[at], 1);
    at += width;
  }
  return made.mapped();
}

/** The bytes of the character in UTF-8 at a position; 1 if there is none. */
function sequence(content, at) {
  const first = content[at];
  const width = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let place = 1; place < width; place++) {
    const byte = content[at + place];
    const isRight = place === 1 ? byte >= least && byte <= most : byte >= 0x80 && byte <= 0xbf;
    if (!isRight) return 1;
  }
  return width;
}

/** Text that is being encoded, with at most `room` bytes. */
class Encoded {
  #length = 0;
  #end = 0;

  constructor(room) {
    this.text = new Uint8Array(room);
    this.offsets = new Uint32Array(room + 1);
    this.stops = new Uint32Array(room);
  }

  /** Adds a character that has `width` bytes in the original. */
  add(point, width) {
    const begin = this.#length;
    if (point < 0x80) this.text[this.#length++] = point;
    else {
      const further = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
      this.text[this.#length++] = ((0xff00 >> (further + 1)) & 0xff) | (point >> (6 * further));
      for (let place = further - 1; place >= 0; place--) {
        this.text[this.#length++] = 0x80 | ((point >> (6 * place)) & 0x3f);
      }
    }
    this.#place(begin, width);
  }

  /** Adds a character that is in UTF-8 already. */
  copy(bytes) {
    const begin = this.#length;
    this.text.set(bytes, begin);
    this.#length += bytes.length;
    this.#place(begin, bytes.length);
  }

  mapped() {
    this.offsets[this.#length] = this.#end;
    const [text, offsets] = [this.text.subarray(0, this.#length), this.offsets.subarray(0, this.#length + 1)];
    return new Mapped(text, offsets, this.stops.subarray(0, this.#length));
  }

  #place(begin, width) {
    this.offsets.fill(this.#end, begin, this.#length);
    this.#end += width;
    this.stops.fill(this.#end, begin, this.#length);
  }
}

function withoutReturns(mapped) {
  const { text, offsets, stops } = mapped;
  // Without line feeds, lines end in a return alone, as on the first Macintosh.
  if (!text.includes(FEED)) return new Mapped(text.map((byte) => (byte === RETURN ? FEED : byte)), offsets, stops);
  const kept = new Mapped(new Uint8Array(text.length), new Uint32Array(text.length + 1), new Uint32Array(text.length));
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === RETURN && text[at + 1] === FEED) continue;
    kept.text[length] = text[at];
    kept.offsets[length] = offsets[at];
    kept.stops[length] = stops[at];
    length++;
  }
  kept.offsets[length] = offsets[text.length];
  return kept.cut(0, length);
}
