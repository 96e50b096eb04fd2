// The report of a comparison in the page: shown, and saved as one HTML file. `drawing.js` is the script that draws the
// reports of `wherefrom compare` as well; `./dev page` writes it.

import { showReport as drawn } from "./drawing.js";

export { reportData } from "./report-data.js";

const [TITLE, NAME, BLOCK] = ["%TITLE%", "%BLOCK-NAME%", "%BLOCK%"];
const shown = new WeakMap();

/** Inflates a block. */
async function inflated(block) {
  const stream = new Blob([block]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/**
 * Draws a report in an element, instead of the report that is there.
 * @param {Element} element  has the markup of the report
 * @param {import("./report-data.js").ReportData} data  its `overview.reviews` get the decisions of the reader
 */
export async function showReport(element, data) {
  const before = shown.get(element) ?? { close() {}, markup: [...element.childNodes].map((node) => node.cloneNode(true)) };
  before.close();
  element.replaceChildren(...before.markup.map((node) => node.cloneNode(true)));
  const blocks = new Map();
  const close = await drawn(element, {
    overview: async () => data.overview,
    block: (kind, number) => {
      const name = `${kind} ${number}`;
      if (!blocks.has(name)) blocks.set(name, inflated(data[kind][number]));
      return blocks.get(name);
    },
  });
  shown.set(element, { close, markup: before.markup });
}

/**
 * The report as one HTML file that loads nothing, like that of `wherefrom compare --html`, with the decisions so far.
 * @param {import("./report-data.js").ReportData} data
 * @param {string} skeleton  the file without data, from `wherefrom/reports/compare/html.py`
 * @returns {Promise<Blob>}
 */
export async function savedFile(data, skeleton) {
  const lines = skeleton.split("\n");
  const at = lines.findIndex((line) => line.includes(BLOCK));
  const overview = new Blob([JSON.stringify(data.overview)]).stream().pipeThrough(new CompressionStream("deflate"));
  const blocks = [
    ["overview", new Uint8Array(await new Response(overview).arrayBuffer())],
    ...["pairs", "sources"].flatMap((kind) => data[kind].map((block, number) => [`${kind}-${number}`, block])),
  ];
  const parts = blocks.flatMap(([name, block]) => {
    const [before, after] = lines[at].replace(NAME, name).split(BLOCK);
    return [before, base64(block), after, "\n"];
  });
  const title = data.title.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const head = lines.slice(0, at).join("\n").split(TITLE).join(title);
  return new Blob([`${head}\n`, ...parts, lines.slice(at + 1).join("\n")], { type: "text/html" });
}

/** Bytes in base 64. */
function base64(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 0x3000) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 0x3000))));
  }
  return parts.join("");
}
