// The text of a source in a report: every character is visible, long lines and long files are cut around matches.
// It gives what `wherefrom/support/printable.py` and `wherefrom/reports/pages/shown_text.py` give, and a test compares
// both. Positions are code points unless something else is said.

const LONGEST_LINE = 1000;
const [LINE_HEAD, BEFORE, MATCH_HEAD, MATCH_TAIL, AFTER] = [200, 40, 400, 100, 40];
const MOST_WINDOWS = 20;
const LEAST_CUT = 30;
const [LONG_FILE, NEAR, LEAST_LINES] = [100_000, 30, 20];

const [TAB, LINE_FEED, RETURN, MARK] = [0x09, 0x0a, 0x0d, 0xfeff];
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/** A character as it is shown. */
function visibleCharacter(character) {
  const code = character.codePointAt(0);
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  if (code >= 0xdc80 && code <= 0xdcff) return "\ufffd"; // a byte that was not UTF-8
  return UNSEEN.test(character) ? `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>` : character;
}

/** A text on one line, with characters that a page would obey or not show replaced by visible ones. */
export function visible(text) {
  return UNSEEN.test(text) ? Array.from(text, visibleCharacter).join("") : text;
}

/** The first place in ascending numbers that is not less than a value. */
function notLess(numbers, value) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first place in ascending numbers that is greater than a value. */
const greater = (numbers, value) => notLess(numbers, value + 1);

/** The bytes of the character in UTF-8 that begins at a place; 0 if the bytes there are not UTF-8. */
function widthAt(source, at) {
  const [first, second] = [source[at], source[at + 1]];
  const more = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1;
  if (more <= 0) return more + 1;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (!(second >= low && second <= high)) return 0;
  for (let byte = 2; byte <= more; byte++) {
    if ((source[at + byte] & 0xc0) !== 0x80) return 0;
  }
  return more + 1;
}

/** The code points of a source, and the offset of the first byte of each, with the end as the last one. */
function decoded(source) {
  const isLittle = source[0] === 0xff && source[1] === 0xfe;
  return isLittle || (source[0] === 0xfe && source[1] === 0xff) ? ofUtf16(source, isLittle) : ofUtf8(source);
}

function ofUtf8(source) {
  const codes = new Uint32Array(source.length);
  const begins = new Uint32Array(source.length + 1);
  let count = 0;
  for (let at = 0; at < source.length;) {
    const width = widthAt(source, at);
    begins[count] = at;
    if (width <= 1) {
      codes[count++] = width ? source[at] : 0xdc00 + source[at];
      at++;
      continue;
    }
    let code = source[at] & (0x7f >> width);
    for (let byte = 1; byte < width; byte++) code = (code << 6) | (source[at + byte] & 0x3f);
    codes[count++] = code;
    at += width;
  }
  begins[count] = source.length;
  return { codes: codes.subarray(0, count), begins: begins.subarray(0, count + 1) };
}

function ofUtf16(source, isLittle) {
  const isOdd = source.length % 2 === 1;
  const [codes, begins] = [[], [2]];
  const unit = (at) => (isLittle ? source[at] | (source[at + 1] << 8) : (source[at] << 8) | source[at + 1]);
  let at = 2;
  while (at + 1 < source.length) {
    const first = unit(at);
    const second = at + 3 < source.length ? unit(at + 2) : 0;
    const isPair = first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000;
    const isAlone = !isPair && first >= 0xd800 && first < 0xe000;
    codes.push(isPair ? 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00) : isAlone && isOdd ? 0xfffd : first);
    at += isPair ? 4 : 2;
    begins.push(at);
  }
  if (at < source.length) {
    codes.push(0xfffd);
    begins.push(at + 2);
  }
  return { codes: Uint32Array.from(codes), begins: Uint32Array.from(begins) };
}

/** A text of code points. */
function textOf(codes, start, end) {
  const parts = [];
  for (let at = start; at < end; at += 8192) {
    parts.push(String.fromCodePoint(...codes.subarray(at, Math.min(at + 8192, end))));
  }
  return parts.join("");
}

/** The shown text of a source, and the offsets of the source's bytes in it. */
export class ShownText {
  /**
   * @param {Uint8Array} source  a text in UTF-8, or in UTF-16 with a byte order mark
   * @param {[number, number][]} matches  the byte offsets of matches, half-open
   */
  constructor(source, matches = []) {
    const { codes, begins } = decoded(source);
    const lineStarts = [0];
    for (let at = codes.indexOf(LINE_FEED); at >= 0; at = codes.indexOf(LINE_FEED, at + 1)) lineStarts.push(at + 1);
    const spans = matches.map((ends) => ends.map((end) => notLess(begins, end))).sort(byEnds);
    const dropped = unmatchedLines(codes.length, lineStarts, spans);
    const edits = merged([
      ...dropped.map(([first, last]) => ({ start: lineStarts[first], end: lineStarts[last], text: "" })),
      ...cutLines(lineStarts, codes.length, spans),
      ...unseen(codes),
    ]);
    /** The number of lines of the source. */
    this.lines = lineStarts.length - (lineStarts.at(-1) === codes.length ? 1 : 0);
    /** For each run of lines that follow each other in the source, its first line: of the text, and of the source. */
    this.segments = segmentsOf(dropped, this.lines);
    this.begins = begins;
    this.starts = new Uint32Array(codes.length + 1); // the UTF-16 unit of the text for each code point of the source
    const parts = [];
    let done = 0;
    let units = 0;
    const keep = (end) => {
      for (; done < end; done++) {
        this.starts[done] = units;
        units += codes[done] >= 0x10000 ? 2 : 1;
      }
    };
    for (const { start, end, text } of edits) {
      parts.push(textOf(codes, done, start), text);
      keep(start);
      this.starts[start] = units;
      units += text.length;
      this.starts.fill(units, start + 1, end);
      done = end;
    }
    parts.push(textOf(codes, done, codes.length));
    keep(codes.length);
    this.starts[codes.length] = units;
    /** The shown text, with line feeds as line ends. */
    this.text = parts.join("");
  }

  /** Converts byte offsets in the source to offsets in the text, in UTF-16 units; the nearest for hidden bytes. */
  offsets(places) {
    return places.map((place) => this.starts[Math.min(notLess(this.begins, place), this.starts.length - 1)]);
  }
}

const byEnds = ([start, end], [otherStart, otherEnd]) => start - otherStart || end - otherEnd;

/** Replaces characters that a browser would not show, or would act on. */
function unseen(codes) {
  const shown = new Map();
  const edits = [];
  codes.forEach((code, at) => {
    if ((code >= 0x20 && code < 0x7f) || code === TAB || code === LINE_FEED) return;
    if (!shown.has(code)) shown.set(code, visibleCharacter(String.fromCodePoint(code)));
    const text = shown.get(code);
    if (text.codePointAt(0) === code) return;
    const isHidden = (code === RETURN && codes[at + 1] === LINE_FEED) || (at === 0 && code === MARK);
    edits.push({ start: at, end: at + 1, text: isHidden ? "" : text });
  });
  return edits;
}

/** The lines of a long text that are far from every match: 0-based, half-open. */
function unmatchedLines(length, lineStarts, spans) {
  if (length < LONG_FILE) return [];
  const dropped = [];
  const lastLine = lineStarts.length - 1;
  let done = 0;
  for (const [first, last] of spans) {
    const begin = Math.max(greater(lineStarts, first) - 1 - NEAR, 0);
    if (begin - done >= LEAST_LINES) dropped.push([done, begin]);
    done = Math.max(done, greater(lineStarts, Math.max(last - 1, first)) - 1 + NEAR + 1);
  }
  if (lastLine - done >= LEAST_LINES && done) dropped.push([done, lastLine]);
  return dropped;
}

function segmentsOf(dropped, lines) {
  const segments = [];
  let [shown, at] = [0, 0];
  for (const [first, last] of dropped) {
    if (at < first) segments.push([shown, at]);
    shown += first - at;
    at = last;
  }
  if (at < lines || !segments.length) segments.push([shown, at]);
  return segments;
}

/** Shortens lines that are too long: notes replace the parts far from matches. */
function cutLines(lineStarts, length, spans) {
  const edits = [];
  lineStarts.forEach((start, line) => {
    const next = lineStarts[line + 1] ?? length + 1;
    if (next - start <= LONGEST_LINE) return;
    const end = next - 1;
    const windows = [[start, start + LINE_HEAD], [end, end]];
    const inLine = spans.filter(([first, last]) => first < end && start < last).slice(0, MOST_WINDOWS);
    for (const [first, last] of inLine) {
      const [begin, stop] = [Math.max(first, start), Math.min(last, end)];
      windows.push([begin - BEFORE, Math.min(stop, begin + MATCH_HEAD)], [Math.max(begin, stop - MATCH_TAIL), stop + AFTER]);
    }
    let at = start;
    for (const [first, last] of windows.sort(byEnds)) {
      if (first - at >= LEAST_CUT) {
        edits.push({ start: at, end: first, text: `⟨${(first - at).toLocaleString("en")} characters left out⟩` });
      }
      at = Math.max(at, last);
    }
  });
  return edits;
}

/** Sorts edits. If some overlap, only the one that begins first stays, or the longest of those that begin there. */
function merged(edits) {
  const kept = [];
  for (const edit of edits.sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (edit.start < edit.end && (!kept.length || kept.at(-1).end <= edit.start)) kept.push(edit);
  }
  return kept;
}
