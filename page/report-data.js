// From the answer of a comparison to the data of its report. It gives what `wherefrom/reports/compare/page_data.py`
// gives, and a test compares both. It needs no document, so it may run in a worker.

import { ShownText, visible } from "./shown-text.js";

/** A report has at most this many characters of packed data. If all pairs take more, the weakest are left out. */
export const MOST_BYTES = 25_000_000;

// The report is filled in at most TRIES attempts. One that fills this share of it is the last. No attempt packs more
// bytes than MOST_UNPACKED times those of the report.
const [TRIES, FILLED, MOST_UNPACKED] = [5, 0.9, 16];

const BLOCK = 200_000; // a block ends as soon as its values have this many bytes before compression
const SKIPPED = 200; // the skipped files that are named
const KINDS = { exact: 0, text: 0, renamed: 1, p_match: 2 };
const BLANK = new Set([0x20, 0x09, 0x0d, 0x0a, 0x0c, 0x0b, 0x00]);

const encoder = new TextEncoder();

/**
 * The data of a report.
 * @typedef {object} ReportData
 * @property {string} title
 * @property {object} overview  what the report says of the whole comparison, and the figures of submissions, files and
 *   pairs; its `reviews` are the decisions of the reader
 * @property {Uint8Array[]} pairs  blocks of regions: JSON, compressed as by zlib
 * @property {Uint8Array[]} sources  blocks of sources, in the same form
 */

/**
 * Makes the data of a report.
 * @param {object} asked
 * @param {object} asked.result  the answer of `Comparison.run`, with an id of the content of each file in `blob`
 * @param {object} asked.parameters  the fields of `parameters` in the answer of `wherefrom compare --format json`
 * @param {string} asked.title
 * @param {(file: number) => Uint8Array | null | Promise<Uint8Array | null>} asked.content  the content of a file, by
 *   its place in `result.files`; null if it is not at hand
 * @param {{path: string, reason: string}[]} asked.skipped  the files that were not compared
 * @param {?number} asked.first  the submission whose pairs come before all others
 * @param {number} asked.most  the highest number of characters of packed data
 * @returns {Promise<ReportData>}
 */
export async function reportData({
  result, parameters = result.parameters, title, content, skipped = [], first = null, most = MOST_BYTES,
}) {
  const ordered = firstOf(result, first);
  const whole = await wholeOf(ordered, parameters, skipped);
  const packing = new Packing(ordered, whole, content);
  let tried = await packing.packed(most * MOST_UNPACKED);
  let [best, tooMuch] = [null, null];
  for (let attempt = 1; best === null || attempt < TRIES; attempt++) {
    if (tried.size > most && tried.overview.pairs.id.length) tooMuch = tried;
    else best = tried;
    if (best !== null && (tooMuch === null || best.size > FILLED * most)) break;
    tried = await packing.packed(
      best === null ? tooMuch.unpacked * FILLED * most / tooMuch.size : (best.unpacked + tooMuch.unpacked) / 2);
  }
  return { title: visible(title), overview: best.overview, pairs: best.pairs, sources: best.sources };
}

/** The answer with the pairs of one submission first; both parts keep their order. */
function firstOf(result, first) {
  if (first === null) return result;
  const order = [...result.pairs.keys()];
  const rank = (number) => (result.pairs[number].left === first || result.pairs[number].right === first ? 0 : 1);
  order.sort((one, other) => rank(one) - rank(other) || one - other);
  const places = new Map(order.map((number, place) => [number, place]));
  return {
    ...result,
    pairs: order.map((number) => result.pairs[number]),
    submissions: result.submissions.map((one) => ({ ...one, best_pair: places.get(one.best_pair) ?? null })),
  };
}

/** A value with all characters visible. */
function seen(value) {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(seen);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [visible(name), seen(item)]));
}

/** A figure with some decimals, rounded down like every share, so that only the whole is 100%. */
function floored(value, digits = 4) {
  const decimals = 10 ** digits;
  return Math.floor(value * decimals + 1e-6) / decimals;
}

/** What does not depend on the pairs that have room. */
async function wholeOf(result, parameters, skipped) {
  const { submissions, files, clusters } = result;
  const reasons = {};
  for (const { reason } of skipped) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const said = {
    key: JSON.stringify([parameters.by, ...parameters.paths]),
    made: `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`,
    seconds: result.seconds ?? null,
    parameters,
    counts: result.counts,
    clusters: clusters.length,
    answered: result.pairs.length,
    most: MOST_BYTES,
    cutOff: result.cut_off,
    skipped: reasons,
    skippedFiles: skipped.slice(0, SKIPPED).map(({ path, reason }) => [path, reason]),
    failed: [],
    unnamedFailed: 0,
    warnings: result.warnings ?? [],
    map: null,
    vendored: [],
  };
  return {
    ...seen(said),
    submissions: {
      name: submissions.map(({ name }) => visible(name)),
      author: submissions.map(({ author }) => visible(author ?? "")),
      role: submissions.map(({ role }) => role),
      content: await Promise.all(submissions.map(({ files: own }) => digestOf(own.map((file) => files[file].blob)))),
      tokens: submissions.map(({ tokens }) => tokens),
      best: submissions.map((submission) => submission.best_pair),
      similarity: submissions.map((submission) => floored(submission.best_similarity)),
    },
    files: {
      path: files.map(({ path }) => visible(path)),
      submission: files.map(({ submission }) => submission),
      language: files.map(({ language }) => language),
    },
  };
}

/** A digest of the contents of a submission. A decision on a pair is kept for these contents only. */
async function digestOf(blobs) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(blobs.sort().join(""))));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The columns of the pairs: each has one value for each pair. */
function pairsOf(pairs, places) {
  const share = (name) => pairs.map((pair) => floored(pair[name]));
  const plain = (name) => pairs.map((pair) => pair[name]);
  return {
    id: plain("id"),
    left: plain("left"),
    right: plain("right"),
    score: share("score"),
    similarity: share("similarity"),
    leftShare: share("left_containment"),
    rightShare: share("right_containment"),
    resemblance: share("resemblance"),
    longest: plain("longest_run"),
    leftLines: plain("left_matched_lines"),
    rightLines: plain("right_matched_lines"),
    leftOmitted: plain("left_boilerplate_tokens"),
    rightOmitted: plain("right_boilerplate_tokens"),
    file: pairs.map(({ files }) => files[0]?.left ?? null),
    omitted: plain("omitted_files"),
    translated: pairs.map(() => 0),
    place: places,
  };
}

/** Packs pairs, and keeps what it has read for the next attempt. */
class Packing {
  constructor(result, whole, content) {
    this.result = result;
    this.whole = whole;
    this.content = content;
    this.sources = new Map();
    this.details = [];
    this.needed = new Map();
    for (const { files } of result.pairs) {
      for (const { left, right, regions } of files) {
        for (const region of regions) {
          for (const [file, side] of [[left, region.left], [right, region.right]]) {
            if (!this.needed.has(file)) this.needed.set(file, { matches: new Map(), gaps: new Map() });
            const { matches, gaps } = this.needed.get(file);
            matches.set(`${side.start_byte} ${side.end_byte}`, [side.start_byte, side.end_byte]);
            for (const gap of side.gaps ?? []) gaps.set(gap.join(" "), gap);
          }
        }
      }
    }
  }

  /** The first pairs that take at most `limit` bytes unpacked, with the sizes of all parts, packed and unpacked. */
  async packed(limit) {
    const { pairs, submissions, files } = this.result;
    const used = new Set();
    let [shown, unpacked] = [0, 0];
    for (; shown < pairs.length; shown++) {
      const fresh = new Set(pairs[shown].files.flatMap(({ left, right }) => [left, right]).filter((file) => !used.has(file)));
      let more = (await this.detail(shown)).length;
      for (const file of fresh) more += (await this.source(file)).json.length;
      if (unpacked + more > limit) break;
      unpacked += more;
      for (const file of fresh) used.add(file);
    }
    // Files of one submission or cluster resemble each other. Side by side they are compressed better.
    const cluster = (file) => submissions[files[file].submission].cluster ?? Infinity;
    const order = [...used].sort((one, other) => (cluster(one) === cluster(other) ? one - other : cluster(one) - cluster(other)));
    const sources = await blocks(order.map((file) => this.sources.get(file).json));
    const details = await blocks(this.details.slice(0, shown));
    const places = new Map(order.map((file, at) => [file, sources.places[at]]));
    const overview = {
      ...this.whole,
      files: { ...this.whole.files, places: files.map((_, file) => places.get(file) ?? null) },
      pairs: pairsOf(pairs.slice(0, shown), details.places),
      reviews: {},
    };
    const parts = [...sources.blocks, ...details.blocks, await deflated([json(overview)])];
    const size = parts.reduce((sum, part) => sum + inBase64(part.length), 0);
    return { overview, pairs: details.blocks, sources: sources.blocks, size, unpacked };
  }

  /** The shown text of a file, and its JSON. */
  async source(file) {
    if (!this.sources.has(file)) {
      const content = await this.content(file);
      const { matches, gaps } = this.needed.get(file) ?? { matches: new Map(), gaps: new Map() };
      const text = content === null ? null : new ShownText(content, [...matches.values()]);
      const value = text === null ? { text: null, statements: [] }
        : sourceOf(this.result.files[file], content, text, [...gaps.values()]);
      this.sources.set(file, { text, json: json(value) });
    }
    return this.sources.get(file);
  }

  /** The regions of a pair as JSON. */
  async detail(number) {
    if (number === this.details.length) {
      const files = [];
      for (const pair of this.result.pairs[number].files) {
        files.push(filePair(pair, (await this.source(pair.left)).text, (await this.source(pair.right)).text));
      }
      this.details.push(json(files));
    }
    return this.details[number];
  }
}

/** The values of a source for the script that draws it. */
function sourceOf({ boilerplate = [] }, content, text, gaps) {
  const comments = gaps.filter(([start, end]) => content.subarray(start, end).some((byte) => !BLANK.has(byte)))
    .sort(([start, end], [otherStart, otherEnd]) => start - otherStart || end - otherEnd);
  return {
    text: text.text,
    segments: text.segments,
    lines: text.lines,
    comments: text.offsets(comments.flat()),
    boilerplate: text.offsets(boilerplate.flatMap((region) => [region.start_byte, region.end_byte])),
    statements: [],
  };
}

function filePair(pair, left, right) {
  return [pair.left, pair.right, Number(pair.is_identical), floored(pair.left_containment), floored(pair.right_containment),
    pair.omitted_regions, pair.regions.map((region) => regionOf(region, left, right))];
}

function regionOf({ left, right, ...region }, leftText, rightText) {
  const ends = (text, { start_byte: start, end_byte: end }) => (text === null ? [start, end] : text.offsets([start, end]));
  return [
    ...ends(leftText, left), ...ends(rightText, right), left.start_line, left.end_line, right.start_line, right.end_line,
    KINDS[region.representation], region.tokens, floored(region.weight, 1), floored(region.rarity, 2), region.submissions,
    Number(region.is_moved), runs(region.facing?.length ? region.facing : [[left.start_line, right.start_line]]),
  ];
}

/** Lines that face each other as runs: first left line, first right line, number of lines. */
function runs(facing) {
  const found = [];
  for (const [left, right] of facing) {
    const [firstLeft, firstRight, lines] = found.slice(-3);
    if (found.length && left === firstLeft + lines && right === firstRight + lines) found[found.length - 1]++;
    else if (!found.length || left !== firstLeft + lines - 1 || right !== firstRight + lines - 1) found.push(left, right, 1);
  }
  return found;
}

const json = (value) => encoder.encode(JSON.stringify(value));

/** The number of characters of bytes in base 64. */
const inBase64 = (bytes) => Math.ceil(bytes / 3) * 4;

/** Parts in a row, compressed as by zlib. */
async function deflated(parts) {
  const stream = new Blob(parts).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Packs values in JSON into blocks: each an array of values. Each value has a block and a place there, 0-based. */
async function blocks(values) {
  const places = [];
  const groups = [];
  let size = BLOCK;
  for (const value of values) {
    if (size >= BLOCK) {
      groups.push([]);
      size = 0;
    }
    places.push([groups.length - 1, groups.at(-1).length]);
    groups.at(-1).push(value);
    size += value.length;
  }
  const packed = [];
  for (const group of groups) {
    packed.push(await deflated(["[", ...group.flatMap((value, at) => (at ? [",", value] : [value])), "]"]));
  }
  return { blocks: packed, places };
}
