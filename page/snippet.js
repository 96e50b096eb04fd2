// Snippets: takes pasted code out of Markdown, mail, diffs, terminals and listings.

/** As many words has a sentence at least. */
const FEW = 3;

const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([^\s`{]*)[^`\n]*$/;
const NUMBERED = /^\s*(\d+)(?:[:|.)]\s?|\s|$)/;
const PROMPTS = [
  [/^>>> ?/, /^(?:>>>|\.\.\.) ?/],
  [/^\$ /, /^[$>] /],
];

/**
 * The code in a pasted text.
 * @param {string} pasted
 * @returns {{text: string, label: string}} `label` is the language that a fence names, or empty
 */
export function unwrapped(pasted) {
  const { lines, label } = fromFences(fromQuotes(pasted.replace(/\r\n?/g, "\n").split("\n")));
  const code = [fromDiff, fromPrompts, fromNumbers].reduce((before, take) => take(before), lines);
  return { text: code.join("\n"), label };
}

const isBlank = (line) => line.trim() === "";

/** The lines without the `>` of a quoted mail. */
function fromQuotes(lines) {
  const own = lines.filter((line) => !isBlank(line));
  const isQuoted = own.length > 1 && own.every((line) => /^ {0,3}>/.test(line) && !line.startsWith(">>>"));
  return isQuoted ? fromQuotes(lines.map((line) => line.replace(/^ {0,3}> ?/, ""))) : lines;
}

/** The lines inside the fences of Markdown. A program with a fence in a comment stays as it is. */
function fromFences(lines) {
  const inside = [];
  const outside = [];
  let opening = null;
  let label = "";
  let found = 0;
  for (const line of lines) {
    const fence = FENCE.exec(line);
    if (opening !== null && fence !== null && fence[1].startsWith(opening) && fence[2] === "") {
      opening = null;
      inside.push("");
    } else if (opening === null && fence !== null) {
      opening = fence[1];
      label ||= fence[2];
      found++;
    } else if (opening !== null) {
      inside.push(line);
    } else if (!isBlank(line)) {
      outside.push(line);
    }
  }
  const isAround = FENCE.test(lines.find((line) => !isBlank(line)) ?? "") || areSentences(outside);
  return found && isAround ? { lines: inside, label: label.toLowerCase() } : { lines, label: "" };
}

/** Whether at least half of the lines have as many words as a sentence. */
function areSentences(lines) {
  const isSentence = (line) => (line.match(/(?<!\S)\p{L}+(?=[\s,.;:!?)]|$)/gu) ?? []).length >= FEW;
  return lines.length <= 2 * lines.filter(isSentence).length;
}

/** The new side of a unified diff. */
function fromDiff(lines) {
  if (!lines.some((line) => /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line))) return lines;
  let isInside = false;
  return lines.flatMap((line) => {
    if (/^(?:diff --git|index |--- |\+\+\+ )/.test(line)) isInside = false;
    if (line.startsWith("@@ ")) {
      isInside = true;
      return [];
    }
    return isInside && /^[ +]/.test(line) ? [line.slice(1)] : [];
  });
}

/** The lines that were typed at the prompts of Python or of a shell. */
function fromPrompts(lines) {
  const first = lines.find((line) => !isBlank(line)) ?? "";
  const prompt = PROMPTS.find(([opening]) => opening.test(first));
  if (prompt === undefined) return lines;
  return lines.filter((line) => prompt[1].test(line)).map((line) => line.replace(prompt[1], ""));
}

/** The lines without numbers in front of them, if these count up. */
function fromNumbers(lines) {
  const own = lines.filter((line) => !isBlank(line));
  const numbers = own.map((line) => Number(NUMBERED.exec(line)?.[1] ?? Number.NaN));
  const isCounted = own.length > 1 && numbers.every((number, at) => at === 0 || number === numbers[at - 1] + 1);
  if (!isCounted) return lines;
  const rest = lines.map((line) => line.replace(NUMBERED, ""));
  const indent = Math.min(...rest.filter((line) => !isBlank(line)).map((line) => line.search(/\S/)));
  return rest.map((line) => line.slice(indent));
}
