// The report of a comparison: its lists, the threshold, clusters, both sides of a pair, and reviews.

const KIND_WORDS = ["exactly", "up to local names and literals", "up to names, each renamed alike", "by the marked words"];
const TRANSLATED = 3;
const STATES = ["pending", "relevant", "dismissed"];
const ROLES = { submission: "submission", archive: "earlier work", with: "second corpus" };
const CONTEXT = 3;
const EXPANDED = 400;
const COPIED = 0.8; // `COPIED` in `wherefrom/fitted.py`
const BOILERPLATE = 6; // more lines of it are folded
const lineRange = (first, last) => (first === last ? `${first}` : `${first}-${last}`);

/** A long table. Only the rows in view are elements of the page. */
class VirtualTable {
  constructor(element, columns, rowHeight, fill, sorted, order) {
    this.rowHeight = rowHeight;
    this.fill = fill;
    this.drawn = "";
    this.heads = columns.map(({ name, title, className = "" }) => {
      const button = make("button", { type: "button" }, title);
      const head = make("div", { className, attributes: { role: "columnheader" } }, button);
      if (name === order[0]) head.setAttribute("aria-sort", order[1]);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const isCount = className.includes("count");
        const isDown = before === null ? isCount : before === "ascending";
        for (const other of this.heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        sorted(name, isDown);
      });
      return head;
    });
    this.element = element;
    this.body = make("div", { className: "list-rows", attributes: { role: "rowgroup", tabindex: "0" } });
    this.space = make("div", { attributes: { role: "presentation" } });
    this.body.append(this.space);
    const row = make("div", { className: "list-row", attributes: { role: "row" } }, ...this.heads);
    element.append(make("div", { attributes: { role: "rowgroup" } }, row), this.body);
    element.hidden = false;
    this.body.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.body);
  }

  show(numbers) {
    this.numbers = numbers;
    this.drawn = "";
    this.element.setAttribute("aria-rowcount", numbers.length + 1);
    this.space.style.height = `${Math.max(numbers.length, 1) * this.rowHeight}px`;
    this.body.scrollTop = 0;
    this.draw();
  }

  draw() {
    if (!this.numbers) return;
    const first = Math.max(Math.floor(this.body.scrollTop / this.rowHeight) - 8, 0);
    const last = Math.min(first + Math.ceil(this.body.clientHeight / this.rowHeight) + 16, this.numbers.length);
    if (this.drawn === `${first} ${last}`) return;
    this.drawn = `${first} ${last}`;
    const rows = [];
    for (let at = first; at < last; at++) {
      const row = make("div", { className: "list-row", attributes: { role: "row", "aria-rowindex": at + 2 } });
      row.style.top = `${at * this.rowHeight}px`;
      this.fill(row, this.numbers[at]);
      rows.push(row);
    }
    if (!rows.length) {
      const cell = make("div", { className: "soft", attributes: { role: "cell" } }, "Nothing fits.");
      rows.push(make("div", { className: "list-row", attributes: { role: "row" } }, cell));
    }
    this.space.replaceChildren(...rows);
  }

  redraw() {
    this.drawn = "";
    this.draw();
  }
}

/** A path whose last part stays whole as long as it fits: the folders before it are cut first. */
function path(name, href = null) {
  const at = name.lastIndexOf("/") + 1;
  const parts = [make("span", {}, name.slice(0, at)), make("span", {}, name.slice(at))];
  return make(href === null ? "span" : "a", { className: "path", title: name, ...(href === null ? {} : { href }) }, ...parts);
}

const cell = (className, ...children) => make("div", { className, attributes: { role: "cell" } }, ...children);

function share(value) {
  const bar = make("span", { className: "bar" }, make("span", {}));
  bar.firstChild.style.width = `${value * 100}%`;
  return [bar, percent(value)];
}

/**
 * Shows a report.
 * @param {Element} root has the elements of the template `compare/report.html`, in which no other report was shown.
 * @param {{overview: () => Promise<object>, block: (kind: string, number: number) => Promise<object[]>,
 *   keep?: (pair: string, review: object) => Promise<boolean>}} source the data of the report. `overview` gives the values of `reports.compare.page_data`; decisions of the reader are written into
 *   its `reviews`. `block` gives a block of `pairs` or `sources`. `keep` keeps the review of a pair at a server, and
 *   tells whether it is kept; without it, the browser keeps the reviews.
 * @returns {Promise<() => void>} a function to be called before the elements are removed.
 */
async function showReport(root, source) {
  const byId = (id) => root.querySelector(`[id="${CSS.escape(id)}"]`);
  const overview = await source.overview();
  const { submissions, files, pairs, reviews } = overview;
  const words = JSON.parse(byId("words").textContent);
  const closing = new AbortController();
  const total = pairs.id.length;
  const numbers = Array.from({ length: total }, (_, number) => number);
  const numberOf = new Map(pairs.id.map((id, number) => [id, number]));
  const kept = new Kept(`wherefrom compare ${overview.key}`);
  // Other files with the same names need decisions of their own.
  const contents = (pair) => [pairs.left[pair], pairs.right[pair]].map((at) => submissions.content[at]);
  const keptName = (pair) => [pairs.id[pair], ...contents(pair)].join(" ");
  let areKept = kept.isKept || Boolean(source.keep);
  for (const pair of source.keep ? [] : numbers) {
    const decision = kept.get(keptName(pair));
    if (decision !== undefined) reviews[pairs.id[pair]] = decision;
  }
  const filter = byId("filter");
  const threshold = byId("threshold");
  const link = byId("link");
  let linked = overview.parameters.cluster_similarity;
  let clusterOf = new Map();
  let listed = numbers;
  let sorting = { name: "rank", isDown: false };

  // The text that the filter searches, and the values that pairs are sorted by.
  const language = (pair) => (pairs.file[pair] === null ? "" : files.language[pairs.file[pair]]);
  const pathsOf = submissions.name.map(() => []);
  files.path.forEach((path, file) => pathsOf[files.submission[file]].push(path));
  const searched = submissions.name.map((name, at) =>
    [name, submissions.author[at], ...pathsOf[at].slice(0, 200)].join("\n").toLowerCase());
  const review = (pair) => reviews[pairs.id[pair]] ?? { state: "pending", note: "" };
  const values = {
    rank: (pair) => pair,
    left: (pair) => submissions.name[pairs.left[pair]],
    right: (pair) => submissions.name[pairs.right[pair]],
    similarity: (pair) => pairs.similarity[pair],
    leftShare: (pair) => pairs.leftShare[pair],
    rightShare: (pair) => pairs.rightShare[pair],
    longest: (pair) => pairs.longest[pair],
    lines: (pair) => pairs.leftLines[pair] + pairs.rightLines[pair],
    score: (pair) => pairs.score[pair],
    language,
    review: (pair) => STATES.indexOf(review(pair).state),
  };

  function sortedBy(list, value, isDown) {
    const keys = new Map(list.map((number) => [number, value(number)]));
    const isText = typeof keys.values().next().value === "string";
    const order = isText
      ? (a, b) => (keys.get(a) < keys.get(b) ? -1 : keys.get(a) > keys.get(b) ? 1 : a - b)
      : (a, b) => keys.get(a) - keys.get(b) || a - b;
    const sorted = [...list].sort(order);
    return isDown ? sorted.reverse() : sorted;
  }

  const pairTable = new VirtualTable(byId("pair-list"), [
    { name: "rank", title: "rank", className: "count rank" },
    { name: "left", title: "left", className: "name" },
    { name: "right", title: "right", className: "name" },
    { name: "similarity", title: "similarity", className: "count wide-count" },
    { name: "leftShare", title: "of left", className: "count optional" },
    { name: "rightShare", title: "of right", className: "count optional" },
    { name: "longest", title: "longest", className: "count optional" },
    { name: "lines", title: "lines", className: "count optional lesser" },
    { name: "score", title: "score", className: "count optional lesser" },
    { name: "language", title: "language", className: "optional lesser" },
    { name: "review", title: "review", className: "state" },
  ], 34, (row, pair) => {
    const state = review(pair).state;
    row.append(
      cell("count rank", (pair + 1).toLocaleString("en")),
      cell("name", path(submissions.name[pairs.left[pair]], `#pair=${pairs.id[pair]}`)),
      cell("name", path(submissions.name[pairs.right[pair]])),
      cell("count wide-count", ...share(pairs.similarity[pair])),
      cell("count optional", percent(pairs.leftShare[pair])),
      cell("count optional", percent(pairs.rightShare[pair])),
      cell("count optional", pairs.longest[pair].toLocaleString("en")),
      cell("count optional lesser", `${pairs.leftLines[pair]}/${pairs.rightLines[pair]}`),
      cell("count optional lesser", pairs.score[pair].toLocaleString("en", { maximumFractionDigits: 2 })),
      cell("optional lesser", pairs.translated[pair] ? `${language(pair)}, translated` : language(pair)),
      cell(`state ${state}`, state === "pending" ? "" : state),
    );
    row.addEventListener("click", (event) => {
      if (!event.target.closest("a")) location.hash = `pair=${pairs.id[pair]}`;
    });
  }, (name, isDown) => {
    sorting = { name, isDown };
    list();
  }, ["rank", "ascending"]);

  /** Lists the pairs that fit the filter. */
  function list() {
    const { text, language: wanted, cluster, review: state } = filter.elements;
    const least = Number(threshold.value) / 100;
    const words = text.value.trim().toLowerCase();
    const fitting = words ? searched.map((names) => names.includes(words)) : null;
    const found = numbers.filter((pair) =>
      pairs.similarity[pair] >= least - 1e-9
      && (!fitting || fitting[pairs.left[pair]] || fitting[pairs.right[pair]])
      && (!wanted.value || language(pair) === wanted.value)
      && (!cluster.value || (String(clusterOf.get(pairs.left[pair])) === cluster.value
        && String(clusterOf.get(pairs.right[pair])) === cluster.value))
      && (!state.value || review(pair).state === state.value));
    listed = sortedBy(found, values[sorting.name], sorting.isDown);
    pairTable.show(listed);
    const from = least ? ` from ${threshold.value}% on` : "";
    byId("shown").textContent = `${plural(listed.length, "pair")} of ${total.toLocaleString("en")}${from}`;
    const line = root.querySelector(".histogram .threshold");
    const across = line.ownerSVGElement.viewBox.baseVal.width * least;
    line.setAttribute("x1", across);
    line.setAttribute("x2", across);
    for (const bar of root.querySelectorAll(".histogram g[data-high]")) {
      bar.classList.toggle("below", Number(bar.dataset.high) <= Number(threshold.value));
    }
  }

  function countReviews() {
    const number = numbers.filter((pair) => review(pair).state !== "pending" || review(pair).note).length;
    byId("export").textContent = number ? `Export ${plural(number, "review")}` : "Export the reviews";
    byId("not-kept").hidden = areKept;
  }

  function exportReviews() {
    const decided = numbers.filter((pair) => review(pair).state !== "pending" || review(pair).note);
    download("wherefrom-reviews.json", {
      format: 1,
      reader: 1,
      reviews: decided.map((pair) => ({
        pair: pairs.id[pair],
        left: submissions.name[pairs.left[pair]],
        right: submissions.name[pairs.right[pair]],
        state: review(pair).state,
        note: review(pair).note,
      })),
    });
  }

  // Clusters: submissions that are linked, directly or not.

  /** The pairs that link; see `_linking` in `wherefrom/compare/pairing.py`. */
  function linkingPairs(least) {
    const able = numbers.filter((pair) => !pairs.translated[pair] && review(pair).state !== "dismissed");
    const linking = new Set(able.filter((pair) => pairs.similarity[pair] >= least - 1e-9));
    const placed = new Set([...linking].flatMap((pair) => [pairs.left[pair], pairs.right[pair]]));
    for (const pair of able) {
      for (const [side, share] of [[pairs.left[pair], pairs.leftShare[pair]], [pairs.right[pair], pairs.rightShare[pair]]]) {
        if (placed.has(side) || share < Math.max(least, COPIED) - 1e-9) continue;
        linking.add(pair);
        placed.add(side);
      }
    }
    return linking;
  }

  function clusters(linking) {
    const parent = submissions.name.map((_, at) => at);
    const root = (node) => {
      while (parent[node] !== node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
      }
      return node;
    };
    const strongest = new Map();
    for (const pair of linking) parent[root(pairs.left[pair])] = root(pairs.right[pair]);
    for (const pair of linking) {
      const at = root(pairs.left[pair]);
      strongest.set(at, Math.max(strongest.get(at) ?? 0, pairs.similarity[pair]));
    }
    const members = new Map();
    for (let node = 0; node < parent.length; node++) {
      if (strongest.has(root(node))) members.set(root(node), [...(members.get(root(node)) ?? []), node]);
    }
    return [...members].map(([at, nodes]) => ({ nodes, strongest: strongest.get(at) }))
      .sort((a, b) => b.nodes.length - a.nodes.length || a.nodes[0] - b.nodes[0]);
  }

  function showClusters() {
    const linking = linkingPairs(linked);
    const found = clusters(linking);
    byId("link-value").textContent = percent(linked);
    clusterOf = new Map(found.flatMap(({ nodes }, at) => nodes.map((node) => [node, at + 1])));
    const shown = found.slice(0, 200);
    const rows = shown.map(({ nodes, strongest }, at) => {
      const button = make("button", { type: "button" }, `${at + 1}`);
      button.setAttribute("aria-label", `List the pairs of cluster ${at + 1}`);
      button.addEventListener("click", () => {
        filter.elements.cluster.value = String(at + 1);
        list();
        byId("pairs").scrollIntoView();
      });
      const named = nodes.slice(0, 12).map((node) => submissions.name[node]).join(", ");
      const more = nodes.length > 12 ? `, and ${nodes.length - 12} more` : "";
      return make("tr", {}, make("td", { className: "count" }, button),
        make("td", { className: "count" }, nodes.length.toLocaleString("en")),
        make("td", { className: "count" }, percent(strongest)), make("td", { className: "name" }, named + more));
    });
    byId("cluster-table").tBodies[0].replaceChildren(...rows);
    byId("more-clusters").textContent = found.length > shown.length
      ? `and ${plural(found.length - shown.length, "more cluster")}` : "";
    const before = filter.elements.cluster.value;
    filter.elements.cluster.replaceChildren(new Option("every cluster", ""),
      ...shown.map(({ nodes }, at) => new Option(`cluster ${at + 1} (${nodes.length})`, String(at + 1))));
    filter.elements.cluster.value = [...filter.elements.cluster.options].some(({ value }) => value === before) ? before : "";
    const ends = new Set();
    for (const line of root.querySelectorAll(".graph line")) {
      const isLinked = linking.has(Number(line.dataset.pair));
      line.classList.toggle("below", !isLinked);
      if (isLinked) ends.add(line.dataset.left).add(line.dataset.right);
    }
    for (const dot of root.querySelectorAll(".graph .dot")) {
      dot.classList.toggle("below", !ends.has(dot.dataset.submission));
    }
    submissionTable.redraw();
  }

  // Submissions, each with its highest match.

  const everyone = submissions.name.map((_, at) => at);
  // The highest match of a submission may be a pair that this page leaves out. Then no decision here changes it.
  const isElsewhere = (at) => submissions.best[at] === null || submissions.best[at] >= total;
  let highest = [];
  let submissionSorting = { name: "similarity", isDown: true };

  /** Finds the highest match of each submission. Dismissed pairs do not count. */
  function rankSubmissions() {
    highest = everyone.map((at) => ({ pair: null, similarity: isElsewhere(at) ? submissions.similarity[at] : 0 }));
    for (const pair of numbers) {
      if (review(pair).state === "dismissed") continue;
      for (const at of [pairs.left[pair], pairs.right[pair]]) {
        if (pairs.similarity[pair] > highest[at].similarity) highest[at] = { pair, similarity: pairs.similarity[pair] };
      }
    }
  }

  const partner = (at) => {
    const { pair } = highest[at];
    return pair === null ? "" : submissions.name[pairs.left[pair] === at ? pairs.right[pair] : pairs.left[pair]];
  };
  const ofSubmission = {
    name: (at) => submissions.name[at],
    author: (at) => submissions.author[at],
    role: (at) => ROLES[submissions.role[at]],
    tokens: (at) => submissions.tokens[at],
    similarity: (at) => highest[at].similarity,
    partner,
    cluster: (at) => clusterOf.get(at) ?? 1e9,
  };
  const hasRoles = new Set(submissions.role).size > 1;
  const hasAuthors = submissions.author.some(Boolean);
  const submissionTable = new VirtualTable(byId("submission-list"), [
    { name: "name", title: "submission", className: "name" },
    ...(hasAuthors ? [{ name: "author", title: "author", className: "optional" }] : []),
    ...(hasRoles ? [{ name: "role", title: "role", className: "optional role" }] : []),
    { name: "tokens", title: "tokens", className: "count optional" },
    { name: "similarity", title: "highest match", className: "count wide-count" },
    { name: "partner", title: "with", className: "name" },
    { name: "cluster", title: "cluster", className: "count optional" },
  ], 34, (row, at) => {
    const { pair, similarity } = highest[at];
    const other = pair === null ? "" : path(partner(at), `#pair=${pairs.id[pair]}`);
    row.append(
      cell("name", path(submissions.name[at])),
      ...(hasAuthors ? [cell("optional", submissions.author[at])] : []),
      ...(hasRoles ? [cell("optional role", ROLES[submissions.role[at]])] : []),
      cell("count optional", submissions.tokens[at].toLocaleString("en")),
      cell("count wide-count", ...share(similarity)),
      cell("name", other),
      cell("count optional", String(clusterOf.get(at) ?? "")),
    );
  }, (name, isDown) => {
    submissionSorting = { name, isDown };
    showSubmissions();
  }, ["similarity", "descending"]);

  function showSubmissions() {
    submissionTable.show(sortedBy(everyone, ofSubmission[submissionSorting.name], submissionSorting.isDown));
  }

  // A pair: both sides, line by line.

  const view = byId("pair");
  let current = null;
  let asked = 0;

  /** The text of a file, with its matches and its boilerplate in order. */
  function side(source, regions, isLeft) {
    const { text, segments, comments, boilerplate } = source;
    const starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    if (starts.at(-1) === text.length && starts.length > 1) starts.pop();
    const lines = starts.map((_, at) => {
      let segment = 0;
      while (segment + 1 < segments.length && segments[segment + 1][0] <= at) segment++;
      return at - segments[segment][0] + segments[segment][1] + 1;
    });
    const placeOf = new Map(lines.map((line, at) => [line, at]));
    const marks = [];
    regions.forEach((region, match) => {
      let at = isLeft ? region.leftStart : region.rightStart;
      const end = isLeft ? region.leftEnd : region.rightEnd;
      const gaps = (isLeft ? region.leftGaps : region.rightGaps) ?? comments;
      for (let gap = 0; gap < gaps.length; gap += 2) {
        if (gaps[gap + 1] <= at || gaps[gap] >= end) continue;
        if (at < gaps[gap]) marks.push({ start: at, end: gaps[gap], kind: region.kind, match });
        at = gaps[gap + 1];
      }
      if (at < end) marks.push({ start: at, end, kind: region.kind, match });
    });
    for (let at = 0; at < boilerplate.length; at += 2) {
      marks.push({ start: boilerplate[at], end: boilerplate[at + 1], kind: -1, match: -1 });
    }
    marks.sort((a, b) => a.start - b.start);
    return { text, starts, lines, placeOf, marks, total: source.lines };
  }

  const lineText = ({ text, starts }, at) =>
    text.slice(starts[at], at + 1 < starts.length ? starts[at + 1] - 1 : text.length).replace(/\n$/, "");

  /** The parts of a line that are marked. */
  function marksOf({ marks, starts, text }, at) {
    const begin = starts[at];
    const end = at + 1 < starts.length ? starts[at + 1] - 1 : text.length;
    let low = 0;
    let high = marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (marks[middle].end <= begin) low = middle + 1;
      else high = middle;
    }
    const found = [];
    for (; low < marks.length && marks[low].start < end; low++) {
      const mark = marks[low];
      found.push({ ...mark, start: Math.max(mark.start, begin) - begin, end: Math.min(mark.end, end) - begin });
    }
    return found;
  }

  /** Rows that show lines of both sides next to each other. Line numbers grow on both sides; where two matches cross, the
   * rows follow the selected one. */
  function align(left, right, regions, first) {
    const order = regions.map((_, at) => at).sort((a, b) => (b === first) - (a === first) || regions[b].weight - regions[a].weight);
    const inOrder = [];
    for (const at of order) {
      let place = 0;
      while (place < inOrder.length && regions[inOrder[place]].leftStart < regions[at].leftStart) place++;
      const above = regions[inOrder[place - 1]];
      const below = regions[inOrder[place]];
      if ((!above || above.rightStart <= regions[at].rightStart) && (!below || regions[at].rightStart <= below.rightStart)) {
        inOrder.splice(place, 0, at);
      }
    }
    const rows = [];
    let here = 0;
    let there = 0;
    const fill = (toLeft, toRight) => {
      while (here < toLeft || there < toRight) {
        rows.push([here < toLeft ? here++ : null, there < toRight ? there++ : null]);
      }
    };
    for (const at of inOrder) {
      const { facing } = regions[at];
      for (let run = 0; run < facing.length; run += 3) {
        for (let step = 0; step < facing[run + 2]; step++) {
          const one = left.placeOf.get(facing[run] + step);
          const other = right.placeOf.get(facing[run + 1] + step);
          if (one === undefined || other === undefined || one < here || other < there) continue;
          fill(one, other);
          rows.push([here++, there++]);
        }
      }
    }
    fill(left.starts.length, right.starts.length);
    return { rows, inOrder: new Set(inOrder) };
  }

  /** The words that differ between two lines that are the same but for names; null if they have other numbers of words. */
  function differing(one, other) {
    const word = /"""|'''|[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gu;
    const left = [...one.matchAll(word)];
    const right = [...other.matchAll(word)];
    if (left.length !== right.length) return null;
    const places = left.map((_, at) => at).filter((at) => left[at][0] !== right[at][0]);
    const spans = (found) => places.map((at) => [found[at].index, found[at].index + found[at][0].length]);
    return [spans(left), spans(right)];
  }

  /** A line with its number, its marks, and the number of a match that begins in it. */
  function lineElement(one, at, marks, emphasized, begins) {
    const text = lineText(one, at);
    const kinds = new Set(marks.map(({ kind }) => kind));
    const isRenamed = kinds.has(1) || kinds.has(2) || kinds.has(TRANSLATED);
    const sign = isRenamed ? "≈" : kinds.has(0) ? "=" : " ";
    const line = make("span", { className: isRenamed ? "renamed" : kinds.has(0) ? "exact" : "" });
    line.append(make("i", { className: "number" }, `${one.lines[at]} ${sign}`));
    for (const match of begins) line.append(make("a", { className: "match-number", href: hashOf(match) }, `${match + 1}`));
    const cuts = new Set([0, text.length]);
    for (const { start, end } of marks) cuts.add(start).add(end);
    for (const [start, end] of emphasized) cuts.add(start).add(end);
    const indent = text.length - text.trimStart().length;
    cuts.add(Math.min(indent, text.length));
    const places = [...cuts].filter((place) => place <= text.length).sort((a, b) => a - b);
    for (let place = 0; place + 1 < places.length; place++) {
      const [start, end] = [places[place], places[place + 1]];
      const part = text.slice(start, end);
      const mark = end <= indent ? undefined : marks.find((found) => found.start <= start && end <= found.end);
      if (!mark) line.append(part);
      else if (mark.kind < 0) line.append(make("span", { className: "boilerplate" }, part));
      else {
        const isDiffering = mark.kind > 0 && emphasized.some(([from, to]) => from <= start && end <= to);
        line.append(make("mark", { className: mark.kind > 0 ? "renamed" : "" },
          isDiffering ? make("b", {}, part) : part));
      }
    }
    line.append("\n");
    return line;
  }

  const leftOut = (button, text) =>
    make("span", { className: "left-out" }, make("i", { className: "number" }, "…"), button ?? text, "\n");

  const filler = () => make("span", { className: "filler" }, "\n");

  /** Draws both sides: matches with some lines around them. All other lines are folded. */
  function drawSides(expanded = new Set()) {
    const { left, right, regions, match, panes } = current;
    const { rows, inOrder } = align(left, right, regions, match);
    const beginsLeft = new Map();
    const beginsRight = new Map();
    regions.forEach((region, at) => {
      for (const [begins, one, line] of [[beginsLeft, left, region.leftLine], [beginsRight, right, region.rightLine]]) {
        const place = one.placeOf.get(line);
        if (place !== undefined) begins.set(place, [...(begins.get(place) ?? []), at]);
      }
    });
    const cells = rows.map(([here, there]) => [
      here === null ? [] : marksOf(left, here), there === null ? [] : marksOf(right, there)]);
    const isNear = new Uint8Array(rows.length);
    cells.forEach(([here, there], at) => {
      if (![...here, ...there].some(({ kind }) => kind >= 0)) return;
      isNear.fill(1, Math.max(at - CONTEXT, 0), Math.min(at + CONTEXT + 1, rows.length));
    });
    // A little boilerplate is shown as well.
    for (let at = 0, end; at < rows.length; at = end + 1) {
      for (end = at; end < rows.length && cells[end].flat().some(({ kind }) => kind < 0);) end++;
      if (end - at <= BOILERPLATE) isNear.fill(1, at, end);
    }
    const columns = [[], []];
    const add = (here, there) => {
      columns[0].push(here);
      columns[1].push(there);
    };
    current.elements = regions.map(() => []);
    const drawn = [[], []]; // the lines of each side that are drawn: their places, and their elements
    const drawRow = (at) => {
      const [here, there] = rows[at];
      let [marksHere, marksThere] = cells[at];
      let emphasized = null;
      const shared = marksHere.find(({ match: one, kind }) => kind > 0 && kind < TRANSLATED && marksThere.some((other) => other.match === one));
      if (shared) emphasized = differing(lineText(left, here), lineText(right, there));
      if (emphasized && !emphasized[0].length) {
        // Without another word, a line is the same although the names of its match differ.
        [marksHere, marksThere] = [marksHere, marksThere].map((marks) => marks.map((mark) => ({ ...mark, kind: mark.kind > 0 && mark.kind < TRANSLATED ? 0 : mark.kind })));
      }
      const one = here === null ? filler() : lineElement(left, here, marksHere, emphasized?.[0] ?? [], beginsLeft.get(here) ?? []);
      const other = there === null ? filler() : lineElement(right, there, marksThere, emphasized?.[1] ?? [], beginsRight.get(there) ?? []);
      if (here !== null) drawn[0].push([here, one]);
      if (there !== null) drawn[1].push([there, other]);
      for (const [element, marks] of [[one, marksHere], [other, marksThere]]) {
        for (const mark of new Set(marks.map(({ match: number }) => number))) {
          if (mark < 0) continue;
          current.elements[mark].push(element);
          if (!inOrder.has(mark)) element.classList.add("moved");
        }
      }
      add(one, other);
    };
    const missing = (one, from, to) => {
      if (from === null || to === null) return 0;
      return one.lines[to] - one.lines[from] - 1;
    };
    let lastLeft = null;
    let lastRight = null;
    for (let at = 0; at < rows.length;) {
      const [here, there] = rows[at];
      const gaps = [missing(left, lastLeft, here), missing(right, lastRight, there)];
      if (gaps[0] || gaps[1]) {
        add(...gaps.map((number) => (number ? leftOut(null, `${plural(number, "line")} left out of this report`) : filler())));
      }
      if (isNear[at] || expanded.has(at)) {
        drawRow(at);
        lastLeft = here ?? lastLeft;
        lastRight = there ?? lastRight;
        at++;
        continue;
      }
      let end = at;
      while (end < rows.length && !isNear[end] && !expanded.has(end)) end++;
      if (end - at <= 2) {
        for (; at < end; at++) {
          drawRow(at);
          lastLeft = rows[at][0] ?? lastLeft;
          lastRight = rows[at][1] ?? lastRight;
        }
        continue;
      }
      const counts = [0, 1].map((which) => rows.slice(at, end).filter((row) => row[which] !== null).length);
      const button = make("button", { type: "button" }, plural(counts[0] || counts[1], "unmatched line"));
      const from = at;
      button.addEventListener("click", () => {
        for (let row = from; row < Math.min(end, from + EXPANDED); row++) expanded.add(row);
        drawSides(expanded);
      });
      if (counts[0]) add(leftOut(button), counts[1] ? leftOut(null, plural(counts[1], "unmatched line")) : filler());
      else add(filler(), leftOut(button));
      for (; at < end; at++) {
        lastLeft = rows[at][0] ?? lastLeft;
        lastRight = rows[at][1] ?? lastRight;
      }
    }
    panes.forEach((pane, which) => pane.replaceChildren(...columns[which]));
    markCurrent();
    clearColor();
    setTimeout(() => [left, right].forEach((one, which) => {
      // All of the text is read, since a line alone does not tell whether it is in a string or in a comment.
      one.colors ??= [...coloredParts(one.text, panes[which].dataset.language)];
      const lines = drawn[which].map(([at, element]) => [one.starts[at], [...codeNodes(element)]]);
      const starts = lines.flatMap(([start, nodes]) => nodes.map((node) => (start += node.length) - node.length));
      colorNodes(lines.flatMap(([, nodes]) => nodes), starts, one.colors);
    }));
  }

  function markCurrent() {
    for (const element of view.querySelectorAll(".current")) element.classList.remove("current");
    for (const element of current.elements[current.match] ?? []) element.classList.add("current");
    for (const row of view.querySelectorAll("tr[data-match]")) {
      row.classList.toggle("current", Number(row.dataset.match) === current.match);
    }
    const region = current.regions[current.match];
    const moved = region?.isMoved ? "; moved: it comes in another order on the other side" : "";
    byId("match-status").textContent = region
      ? `Match ${current.match + 1} of ${current.regions.length}: lines ${lineRange(region.leftLine, region.leftLast)} and `
        + `${lineRange(region.rightLine, region.rightLast)}, ${plural(region.tokens, "token")} match `
        + `${KIND_WORDS[region.way]}. Weight ${region.weight.toLocaleString("en")}`
        + (region.submissions ? `: about ${region.submissions.toLocaleString("en")} of `
          + `${plural(submissions.name.length, "submission")} have it` : "") + `${moved}.`
      : plural(current.regions.length, "match", "matches");
  }

  const hashOf = (match) => `#pair=${pairs.id[current.pair]}&file=${current.at + 1}&match=${match + 1}`;

  /** Selects a match of the pair of files in view. */
  function goTo(match) {
    const { regions } = current;
    if (!regions.length) return;
    current.match = match;
    history.replaceState(null, "", hashOf(match));
    if (current.elements[match].some((element) => element.classList.contains("moved"))) drawSides();
    else markCurrent();
    scrollToCurrent();
  }

  /** Scrolls to the selected match, on both sides if each scrolls by itself. */
  function scrollToCurrent() {
    current.elements[current.match][0]?.scrollIntoView({ block: "center" });
    for (const pane of current.panes ?? []) {
      const line = pane.querySelector(".current");
      if (line && pane.scrollHeight > pane.clientHeight) pane.scrollTop = line.offsetTop - pane.offsetTop - 40;
    }
  }

  async function walk(step) {
    const { regions, details, at, match } = current;
    const next = match === null ? (step > 0 ? 0 : regions.length - 1) : match + step;
    if (next >= 0 && next < regions.length) return goTo(next);
    const file = at + step;
    if (file < 0 || file >= details.length) return undefined;
    await showPair(current.pair, file, step > 0 ? 0 : details[file][6].length - 1);
    return undefined;
  }

  const named = (region) => ({
    leftStart: region[0], leftEnd: region[1], rightStart: region[2], rightEnd: region[3],
    leftLine: region[4], leftLast: region[5], rightLine: region[6], rightLast: region[7],
    way: region[8], kind: region[8], tokens: region[9], weight: region[10], rarity: region[11],
    submissions: region[12], isMoved: Boolean(region[13]), facing: region[14], leftGaps: region[15], rightGaps: region[16],
  });

  async function sourceOf(file) {
    const place = files.places[file];
    return place === null ? { text: null, statements: [] } : (await source.block("sources", place[0]))[place[1]];
  }

  function reviewForm(pair) {
    const form = make("form", { className: "controls review" });
    const given = review(pair);
    for (const state of STATES) {
      const input = make("input", { type: "radio", name: "state", value: state, checked: state === given.state });
      form.append(make("label", {}, input, state));
    }
    const note = make("input", { type: "text", name: "note", value: given.note, maxLength: 10000, autocomplete: "off" });
    form.append(make("label", {}, "Note ", note));
    form.addEventListener("input", () => {
      reviews[pairs.id[pair]] = { state: form.elements.state.value, note: note.value };
      if (!source.keep) {
        kept.set(keptName(pair), review(pair));
        areKept = kept.isKept;
      }
      countReviews();
    });
    form.addEventListener("change", async () => {
      if (!source.keep) return;
      areKept = await source.keep(pairs.id[pair], review(pair)).catch(() => false);
      countReviews();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    return form;
  }

  function figures(pair) {
    const facts = [
      ["similarity", percent(pairs.similarity[pair])],
      ["of left", percent(pairs.leftShare[pair])],
      ["of right", percent(pairs.rightShare[pair])],
      ["resemblance", percent(pairs.resemblance[pair])],
      ["longest run", plural(pairs.longest[pair], "token")],
      ["matched lines", `${pairs.leftLines[pair].toLocaleString("en")} / ${pairs.rightLines[pair].toLocaleString("en")}`],
      ["score", pairs.score[pair].toLocaleString("en", { maximumFractionDigits: 2 })],
    ];
    const omitted = [pairs.leftOmitted[pair], pairs.rightOmitted[pair]].map((tokens) => tokens.toLocaleString("en"));
    if (omitted.some((tokens) => tokens !== "0")) facts.push(["left out", `${omitted.join(" / ")} tokens`]);
    return make("dl", { className: "facts" },
      ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  }

  function filesTable(pair, details, at) {
    const rows = details.map(([left, right, isIdentical, leftShare, rightShare, omitted, regions], number) => make("tr", {
      className: number === at ? "current" : "" },
    make("td", { className: "name" },
      make("a", { href: `#pair=${pairs.id[pair]}&file=${number + 1}` }, files.path[left])),
    make("td", { className: "name" }, files.path[right]),
    make("td", { className: "count" }, percent(leftShare)),
    make("td", { className: "count" }, percent(rightShare)),
    make("td", {}, isIdentical ? "identical" : plural(regions.length + omitted, "match", "matches"))));
    const head = make("thead", {}, make("tr", {}, ...["left file", "right file"].map((name) =>
      make("th", { attributes: { scope: "col" } }, name)),
    ...["of left", "of right"].map((name) => make("th", { className: "count", attributes: { scope: "col" } }, name)),
    make("th", { attributes: { scope: "col" } }, "matches")));
    return make("div", { className: "wide few", attributes: { tabindex: "0", role: "group", "aria-label": "Pairs of files" } },
      make("table", {}, head, make("tbody", {}, ...rows)));
  }

  function matchesTable(regions, omitted) {
    const titles = ["match", "left lines", "right lines", "tokens", "matches", "weight", "submissions"];
    const isCount = (at) => [3, 5, 6].includes(at);
    const head = make("tr", {}, ...titles.map((title, at) =>
      make("th", { className: isCount(at) ? "count" : "", attributes: { scope: "col" } }, title)));
    const rows = regions.map((region, at) => {
      const cells = [make("a", { href: hashOf(at) }, `${at + 1}`), lineRange(region.leftLine, region.leftLast),
        lineRange(region.rightLine, region.rightLast), region.tokens.toLocaleString("en"),
        `${region.way ? "≈" : "="} ${KIND_WORDS[region.way]}${region.isMoved ? ", moved" : ""}`,
        region.weight.toLocaleString("en"), region.submissions ? region.submissions.toLocaleString("en") : ""];
      const row = make("tr", {}, ...cells.map((content, place) =>
        make("td", { className: isCount(place) ? "count" : "" }, content)));
      row.dataset.match = at;
      return row;
    });
    const parts = [make("summary", {}, make("h3", {}, plural(regions.length, "match", "matches"))),
      make("div", { className: "wide few", attributes: { tabindex: "0", role: "group", "aria-label": "Matches" } },
        make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)))];
    if (omitted) parts.push(make("p", { className: "soft" }, `${plural(omitted, "lighter match", "lighter matches")} left out.`));
    return make("details", { open: regions.length <= 8 }, ...parts);
  }

  function statements(title, source) {
    if (!source.statements.length) return [];
    const items = source.statements.slice(0, 20).map(([text, line]) =>
      make("li", {}, `line ${line}: `, make("q", {}, text)));
    return [make("p", {}, `${title} says of its source:`), make("ul", { className: "places" }, ...items)];
  }

  /** Shows one pair of files of a pair of submissions, and one match in it. */
  async function showPair(pair, at = 0, match = null) {
    const turn = ++asked;
    const place = pairs.place[pair];
    const details = (await source.block("pairs", place[0]))[place[1]];
    at = Math.min(Math.max(at, 0), details.length - 1);
    const [leftFile, rightFile, isIdentical, , , omitted, packed] = details[at];
    const [leftSource, rightSource] = await Promise.all([sourceOf(leftFile), sourceOf(rightFile)]);
    if (turn !== asked) return; // another pair was asked for meanwhile
    const regions = packed.map(named);
    const areShown = leftSource.text !== null && rightSource.text !== null;
    const [one, other] = [submissions.name[pairs.left[pair]], submissions.name[pairs.right[pair]]];
    current = { pair, at, match: regions.length ? Math.min(match ?? 0, regions.length - 1) : null, details, regions, elements: regions.map(() => []) };
    const where = listed.indexOf(pair);
    const to = (step, text) => {
      const next = where < 0 ? undefined : listed[where + step];
      return next === undefined ? make("span", { className: "soft" }, text) : make("a", { href: `#pair=${pairs.id[next]}` }, text);
    };
    const walkButton = (step, text, key) => {
      const button = make("button", { type: "button" }, text, make("kbd", {}, key));
      button.addEventListener("click", () => walk(step));
      return button;
    };
    const heading = make("h2", { tabIndex: -1 }, `${pair + 1}. ${one} and ${other}`);
    view.replaceChildren(
      make("nav", { className: "controls", attributes: { "aria-label": "Pairs" } },
        make("a", { href: "#pairs" }, "All pairs"), to(-1, "Previous pair"), to(1, "Next pair")),
      heading, figures(pair), reviewForm(pair),
      ...(details.length > 1 ? [filesTable(pair, details, at)] : []),
      ...(pairs.omitted[pair] ? [make("p", { className: "soft" },
        `${plural(pairs.omitted[pair], "more pair of files", "more pairs of files")} that share less left out.`)] : []),
      ...(isIdentical ? [make("p", {}, "Both files are identical.")] : []),
      ...statements(files.path[leftFile], leftSource), ...statements(files.path[rightFile], rightSource),
      matchesTable(regions, omitted),
      make("div", { className: "controls walk" }, walkButton(-1, "Previous match", "p"), walkButton(1, "Next match", "n"),
        make("span", { id: "match-status", attributes: { role: "status" } })),
    );
    if (areShown) {
      current.left = side(leftSource, regions, true);
      current.right = side(rightSource, regions, false);
      current.panes = [leftFile, rightFile].map((file, which) => {
        const pane = make("pre", { tabIndex: 0, attributes: { role: "group", "aria-label": `${["left", "right"][which]}: ${files.path[file]}` } });
        pane.dataset.language = files.language[file];
        return pane;
      });
      current.panes.forEach((pane, which) => pane.addEventListener("scroll", () => {
        current.panes[1 - which].scrollLeft = pane.scrollLeft;
      }));
      view.append(
        make("p", { className: "legend" }, make("mark", {}, "="), " matches exactly; ", make("mark", { className: "renamed" }, "≈"),
          " matches up to the names and literals in bold, or in another language; ", make("span", { className: "boilerplate" }, "boilerplate"),
          " is grey and counts for nothing. The number of a match leads to it."),
        make("div", { className: "sides" }, ...current.panes.map((pane, which) =>
          make("div", {}, make("p", {}, `${["left", "right"][which]}: ${files.path[[leftFile, rightFile][which]]}`), pane))));
      drawSides();
    } else {
      view.append(make("p", { className: "soft" }, "A source of this pair was not at hand when this page was made."));
      markCurrent();
    }
    byId("overview").hidden = true;
    view.hidden = false;
    if (match === null) heading.focus({ preventScroll: true });
    if (current.match === null) root.scrollIntoView();
    else scrollToCurrent();
    view.dataset.shown = `${pairs.id[pair]} ${at + 1}`;
  }

  async function route() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const pair = numberOf.get(wanted.get("pair"));
    if (pair !== undefined) {
      const number = (name, otherwise) => (Number(wanted.get(name)) >= 1 ? Number(wanted.get(name)) - 1 : otherwise);
      await showPair(pair, number("file", 0), number("match", null));
      return;
    }
    asked++;
    if (!view.hidden) {
      view.hidden = true;
      clearColor();
      byId("overview").hidden = false;
      rankSubmissions();
      showClusters();
      showSubmissions();
      pairTable.redraw();
      (byId(location.hash.slice(1)) ?? byId("pairs")).scrollIntoView();
    }
  }

  addEventListener("keydown", (event) => {
    if (view.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input:not([type=radio]), textarea, select")) return;
    if (event.key === "n") walk(1);
    else if (event.key === "p") walk(-1);
    else if (event.key === "Escape") location.hash = "pairs";
  }, { signal: closing.signal });

  for (const name of [...new Set(numbers.map(language))].sort()) {
    if (name) filter.elements.language.append(new Option(name));
  }
  for (const element of root.querySelectorAll(".scripted")) element.hidden = false;
  for (const element of root.querySelectorAll(".plain")) element.classList.add("for-print");
  byId("overview").hidden = false;
  threshold.value = 0;
  link.value = Math.round(linked * 100);
  filter.addEventListener("input", list);
  filter.addEventListener("submit", (event) => event.preventDefault());
  threshold.addEventListener("input", list);
  link.addEventListener("input", () => {
    linked = Number(link.value) / 100;
    showClusters();
    list();
  });
  byId("export").addEventListener("click", exportReviews);
  addEventListener("hashchange", route, { signal: closing.signal });
  showOverview(byId, words, overview);
  showGraph(root.querySelector(".graph"), overview, linkingPairs(linked));
  rankSubmissions();
  showClusters();
  list();
  showSubmissions();
  countReviews();
  await route();
  return () => {
    closing.abort();
    clearColor();
  };
}
