// The overview of a comparison: its figures, pictures and tables, drawn from the data of the report.

const percent = (share) => (share > 0 && share < 0.01 ? "<1%" : `${Math.floor(share * 100 + 1e-9)}%`);
const counted = (number) => number.toLocaleString("en");

/** The first names with commas between them, and the number of the others. */
const someOf = (names, most) =>
  names.slice(0, most).join(", ") + (names.length > most ? ` and ${counted(names.length - most)} more` : "");

/** Seconds as `0.4 s`, `12 s`, `3 min 05 s` or `2 h 07 min`. */
function duration(seconds) {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, "0");
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

/** A table that scrolls by itself if it is too wide. A head is a text, or its properties for `make`; a cell is a node,
 * a text, or a list of them. */
function tableOf(label, heads, rows, isSortable = false) {
  const classes = heads.map((head) => head.className ?? "");
  const head = make("tr", {}, ...heads.map(({ title, className = "", isSorting = isSortable }) =>
    make("th", { className, attributes: { scope: "col" } },
      isSorting ? make("button", { type: "button" }, title) : title)));
  const body = rows.map((cells) => make("tr", {}, ...cells.map((content, at) =>
    make("td", { className: classes[at] }, ...[content].flat()))));
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
  if (isSortable) makeSortable(table);
  return make("div", { className: "wide", attributes: { tabindex: "0", role: "group", "aria-label": label } }, table);
}

const soft = (text) => make("p", { className: "soft" }, text);

const places = (lines) => make("ul", { className: "places" }, ...lines.map((line) => make("li", {}, line)));

/** Draws all parts of the overview that do not change. */
function showOverview(byId, words, overview) {
  const section = (id) => byId(id).closest("section");
  showFigures(byId, words, overview);
  showHistogram(section("similarity").querySelector("svg"), overview.counts.histogram);
  showParameters(section("parameters").querySelector(".tables"), words, overview);
  for (const [id, parts] of [["map", mapParts(words, overview)], ["vendored", vendoredParts(overview)]]) {
    section(id).append(...parts);
    section(id).hidden = !parts.length;
    byId("overview").querySelector(`nav a[href="#${id}"]`).hidden = !parts.length;
  }
}

function showFigures(byId, words, { counts, clusters, submissions, pairs, parameters, ...overview }) {
  const named = (paths) => (Array.isArray(paths) && paths.length ? someOf(paths, 3) : "");
  const isOfIndex = typeof parameters.index === "string" && parameters.index !== "given";
  const facts = [
    isOfIndex ? ["index", parameters.index] : ["compared", named(parameters.paths)],
    ["with", named(parameters.with)],
    ["archive", named(parameters.archive)],
    ["by", parameters.by],
    ["made", `${overview.made} by wherefrom ${words.version}`],
    ["took", overview.seconds === null ? "" : duration(overview.seconds)],
  ];
  byId("facts").replaceChildren(...facts.filter(([, value]) => value).map(([name, value]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, value))));

  const found = counts.found_pairs ? plural(counts.found_pairs, "pair") : "no pairs";
  const dismissed = counts.dismissed_pairs ? ` (${counted(counts.dismissed_pairs)} dismissed)` : "";
  byId("summary").textContent = `${found} found${dismissed} among ${plural(counts.submissions, "submission")}, `
    + `${plural(counts.files, "file")}, ${plural(counts.compared_pairs, "pair")} of files compared token by token.`;

  const highest = submissions.similarity.reduce((most, similarity) => Math.max(most, similarity), 0);
  const cards = [
    ...[[counts.submissions, "submission"], [counts.files, "file"], [counts.found_pairs, "pair"], [clusters, "cluster"]]
      .map(([number, noun]) => [counted(number), number === 1 ? noun : `${noun}s`]),
    [percent(highest), "highest similarity"],
    [percent(counts.tokens ? counts.boilerplate_tokens / counts.tokens : 0), "boilerplate"],
  ];
  byId("cards").replaceChildren(...cards.map(([number, noun]) => make("li", {}, make("b", {}, number), noun)));
  byId("cards").hidden = false;
  byId("warnings").replaceChildren(...overview.warnings.map((warning) => make("p", {}, `Warning: ${warning}`)));

  const shown = pairs.id.length;
  const missing = counts.found_pairs + counts.dismissed_pairs - shown;
  const room = overview.answered - shown;
  const why = room > 0
    ? `, ${counted(room)} of them since this page would be larger than ${Math.floor(overview.most / 1e6)} MB` : "";
  byId("left-out").hidden = missing <= 0;
  byId("left-out").textContent = `The ${counted(shown)} strongest pairs are shown; ${counted(missing)} weaker ones are `
    + `left out${why}. The histogram counts all of them.`;
  byId("only-shown").hidden = missing <= 0;
  byId("only-shown").textContent = `Only the ${plural(shown, "pair")} of this page link submissions here; those that are `
    + "left out do not, whatever the similarity.";
}

const HISTOGRAM_HEIGHT = 130;
const BAR = 46; // the width of a bar with its margin

/** The bars of the histogram. Their height grows with the square root of the number, so that small numbers stay visible
 * beside large ones. */
function showHistogram(svg, histogram) {
  const highest = Math.sqrt(Math.max(...histogram)) || 1;
  const step = 100 / histogram.length;
  const bars = histogram.map((pairs, at) => {
    const height = pairs ? Math.max(Math.sqrt(pairs) / highest * (HISTOGRAM_HEIGHT - 34), 2) : 0;
    const y = HISTOGRAM_HEIGHT - 18 - height;
    const [low, high] = [Math.round(at * step), Math.round((at + 1) * step)];
    const bar = make("svg:g", {},
      make("svg:title", {}, `${plural(pairs, "pair")} from ${low} to ${high}%`),
      make("svg:rect", { attributes: { x: at * BAR + 3, y, width: BAR - 6, height } }),
      ...(pairs ? [make("svg:text", { attributes: { x: at * BAR + BAR / 2, y: y - 4 } }, counted(pairs))] : []),
      make("svg:text", { attributes: { class: "axis", x: at * BAR, y: HISTOGRAM_HEIGHT - 4 } }, `${low}%`));
    bar.dataset.high = high;
    return bar;
  });
  const threshold = make("svg:line", { attributes: { class: "threshold", y1: 0, y2: HISTOGRAM_HEIGHT - 18 } });
  svg.setAttribute("viewBox", `0 0 ${BAR * histogram.length} ${HISTOGRAM_HEIGHT}`);
  svg.setAttribute("aria-label", `Number of pairs by similarity, in steps of ${Math.round(step)}%`);
  svg.replaceChildren(...bars, threshold);
}

// The picture of the clusters: submissions as dots, pairs as lines between them. The same pairs give the same picture.

const MOST_NODES = 200;
const MOST_EDGES = 1000;
const LABELLED = 60; // if it has more dots, the picture has no names
const LABEL = 18; // characters
const [GRAPH_WIDTH, LEAST_WIDTH] = [1000, 400];
// The side of a cluster's cell is CELL times 1 plus the square root of the number of its nodes.
const [CELL, PAIR_CELL, SINGLE_CELL] = [68, [240, 56], [110, 44]];
const STEPS = 150;

/** The numbers from 0 to 1 of a generator that always begins alike (mulberry32). */
function chance() {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Groups of numbers that pairs link, directly or not: each ascending, the largest first. */
function linkedGroups(pairs) {
  const groups = new Map();
  for (const [left, right] of pairs) {
    let [one, other] = [groups.get(left) ?? [left], groups.get(right) ?? [right]];
    if (one.length < other.length) [one, other] = [other, one];
    if (one !== other) one.push(...other);
    for (const node of [left, right, ...other]) groups.set(node, one);
  }
  return [...new Set(groups.values())].map((group) => group.sort((a, b) => a - b))
    .sort((a, b) => b.length - a.length || a[0] - b[0]);
}

/** All nodes, in an order that puts the ends of strong edges side by side. The strongest edges come first. */
function neighborhood(edges) {
  const rows = new Map();
  for (const { left, right } of edges) {
    const [one, other] = [left, right].map((end) => rows.get(end) ?? rows.set(end, [end]).get(end));
    if (one === other) continue;
    one.push(...other);
    for (const node of other) rows.set(node, one);
  }
  return [...new Set([...rows.values()].flat())];
}

/** Places of linked nodes, from 0 to 1 across and down. Linked nodes attract each other, and all nodes repel each other
 * (Fruchterman and Reingold). */
function layout(nodes, edges) {
  const number = nodes.length;
  if (number === 1) return [[0.5, 0.5]];
  if (number === 2) return [[0.1, 0.5], [0.9, 0.5]];
  const at = new Map(nodes.map((node, place) => [node, place]));
  const links = nodes.map(() => new Float64Array(number));
  for (const { left, right, similarity } of edges) {
    const [one, other] = [at.get(left), at.get(right)];
    links[one][other] = links[other][one] = 0.3 + similarity;
  }
  const next = chance();
  const found = nodes.map(() => [next(), next()]);
  const ideal = 1 / Math.sqrt(number);
  for (let step = 0; step < STEPS; step++) {
    const moves = found.map(([x, y], one) => {
      const sum = [0, 0];
      found.forEach(([otherX, otherY], other) => {
        const distance = Math.max(Math.hypot(x - otherX, y - otherY), 0.001);
        const force = ideal ** 2 / distance ** 2 - links[one][other] * distance / ideal;
        sum[0] += (x - otherX) * force;
        sum[1] += (y - otherY) * force;
      });
      return sum;
    });
    const most = 0.15 * (1 - step / STEPS) + 0.002;
    found.forEach((place, one) => {
      const length = Math.max(Math.hypot(...moves[one]), 0.001);
      for (const axis of [0, 1]) place[axis] += moves[one][axis] * Math.min(length, most) / length;
    });
  }
  for (const axis of [0, 1]) {
    const low = Math.min(...found.map((place) => place[axis]));
    const size = Math.max(Math.max(...found.map((place) => place[axis])) - low, 0.001);
    for (const place of found) place[axis] = (place[axis] - low) / size;
  }
  return found;
}

/**
 * Places the strongest pairs: the linked submissions as clusters, the largest first, and the others in rows below.
 * @param {{pair: number, left: number, right: number, similarity: number}[]} edges
 * @param {Set<number>} linking the pairs that link
 * @returns the drawn edges, the places of their ends, and the size of the picture
 */
function placed(edges, linking) {
  const drawn = [];
  const nodes = new Set();
  const strongest = [...edges].sort((a, b) => b.similarity - a.similarity || a.left - b.left || a.right - b.right);
  for (const edge of strongest) {
    const fresh = [edge.left, edge.right].filter((end) => !nodes.has(end));
    if (drawn.length >= MOST_EDGES || nodes.size + fresh.length > MOST_NODES) continue;
    drawn.push(edge);
    for (const end of fresh) nodes.add(end);
  }
  const strong = drawn.filter(({ pair }) => linking.has(pair));
  const components = linkedGroups(strong.map(({ left, right }) => [left, right]));
  const linked = new Set(components.flat());
  const singles = neighborhood(drawn).filter((node) => !linked.has(node)).map((node) => [node]);
  const places = new Map();
  let [x, y, row, width] = [0, 0, 0, 0];
  for (const component of [...components, ...singles]) {
    const side = Math.min(CELL * (1 + Math.sqrt(component.length)), GRAPH_WIDTH);
    const [cellWidth, cellHeight] = [SINGLE_CELL, PAIR_CELL][component.length - 1] ?? [side, side];
    if (x + cellWidth > GRAPH_WIDTH || (x && cellHeight < row)) [x, y, row] = [0, y + row, 0];
    const inside = new Set(component);
    layout(component, strong.filter(({ left }) => inside.has(left))).forEach(([across, down], at) => {
      places.set(component[at], [x + cellWidth * (0.14 + 0.72 * across), y + cellHeight * (0.14 + 0.72 * down)]);
    });
    x += cellWidth;
    row = Math.max(row, cellHeight);
    width = Math.max(width, x);
  }
  return { drawn, places, width: Math.ceil(Math.max(width, LEAST_WIDTH)), height: Math.ceil(y + row) };
}

/** The part that all names begin with, up to a slash, and the part that all end with, from a slash or a dot on. */
function commonParts(names) {
  let before = names[0] ?? "";
  let after = before;
  for (const name of names) {
    while (!name.startsWith(before)) before = before.slice(0, -1);
    while (!name.endsWith(after)) after = after.slice(1);
  }
  const at = after.search(/[/.]/);
  return [before.slice(0, before.lastIndexOf("/") + 1), at < 0 ? "" : after.slice(at)];
}

/** Names that are short enough for a picture: without what all of them have. */
function labels(names) {
  const [before, after] = commonParts(names);
  return names.map((name) => {
    const own = [...(name.slice(before.length, Math.max(name.length - after.length, before.length)) || name)];
    return own.length > LABEL ? `${own.slice(0, LABEL - 1).join("")}…` : own.join("");
  });
}

/** Half of the width of a label in the picture, roughly. */
const halfWidth = (label) => [...label].reduce((sum, character) => sum + (character > "\u2e80" ? 6.5 : 3.6), 3);

/** Draws the picture of the clusters. */
function showGraph(figure, { submissions, pairs }, linking) {
  const edges = pairs.id.map((_, at) => at).filter((at) => !pairs.translated[at]).map((at) =>
    ({ pair: at, left: pairs.left[at], right: pairs.right[at], similarity: pairs.similarity[at] }));
  const { drawn, places, width, height } = placed(edges, linking);
  figure.hidden = !places.size;
  const { name, role } = submissions;
  const short = places.size <= LABELLED ? labels(name) : null;
  const round = (number) => number.toFixed(1);
  const lines = drawn.map(({ pair, left, right, similarity }) => {
    const [[x1, y1], [x2, y2]] = [left, right].map((end) => places.get(end).map(round));
    const line = make("svg:line", { attributes: { x1, y1, x2, y2, "stroke-width": round(0.5 + 4 * similarity) } },
      make("svg:title", {}, `${name[left]} and ${name[right]}: ${percent(similarity)}`));
    Object.assign(line.dataset, { pair, left, right });
    return line;
  });
  const dots = [...places].sort(([one], [other]) => one - other).map(([submission, [x, y]]) => {
    const dot = make("svg:g", { attributes: { class: `dot ${role[submission]}` } },
      make("svg:title", {}, name[submission]),
      make("svg:circle", { attributes: { cx: round(x), cy: round(y), r: 7 } }));
    if (short !== null) {
      const half = halfWidth(short[submission]);
      const middle = Math.max(Math.min(x, width - half), half); // inside of the picture
      dot.append(make("svg:text", { attributes: { x: round(middle), y: round(Math.max(y - 11, 12)) } }, short[submission]));
    }
    dot.dataset.submission = submission;
    return dot;
  });
  const svg = figure.querySelector("svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren(...lines, ...dots);
  const ends = new Set(edges.flatMap(({ left, right }) => [left, right]));
  const hollow = role.includes("with") ? "submissions of the second corpus" : role.includes("archive") ? "earlier work" : "";
  const [moreEnds, moreLines] = [ends.size - places.size, edges.length - drawn.length];
  figure.querySelector("figcaption").textContent = (hollow ? `Hollow dots: ${hollow}. ` : "")
    + (moreEnds || moreLines ? `${plural(moreEnds, "more submission")} and ${plural(moreLines, "more pair")} are not `
      + "drawn, the weakest ones." : "");
}

const PATHS = 20; // in a cell or a list

function showParameters(tables, words, { parameters, cutOff, skipped, skippedFiles, failed, unnamedFailed }) {
  const given = Object.entries(parameters)
    .map(([name, value]) => [name.replaceAll("_", " "), Array.isArray(value) ? someOf(value, PATHS) : value])
    .filter(([, value]) => value !== null && value !== "");
  const mostFirst = (counts) => Object.entries(counts).filter(([, number]) => number)
    .sort(([one, of], [other, ofOther]) => ofOther - of || (one < other ? -1 : 1));
  const cut = mostFirst(cutOff).map(([cause, number]) => [
    words.cutOff[cause].replaceAll("{s}", number === 1 ? "" : "s").replaceAll("{verb_s}", number === 1 ? "s" : ""),
    counted(number)]);
  const reasons = mostFirst(skipped).map(([reason, number]) => [reason.replaceAll("_", " "), counted(number)]);
  const [name, count] = [{ className: "name" }, { className: "count" }];
  tables.replaceChildren(
    tableOf("parameter", [{ title: "parameter" }, { ...name, title: "value" }],
      given.map(([parameter, value]) => [parameter, String(value)])),
    ...(cut.length ? [tableOf("cut off", [{ ...name, title: "cut off" }, { ...count, title: "number" }], cut)] : []),
    ...(reasons.length
      ? [tableOf("not compared", [{ ...name, title: "not compared" }, { ...count, title: "files" }], reasons)] : []));
  const total = Object.values(skipped).reduce((sum, number) => sum + number, 0);
  const parts = [];
  if (skippedFiles.length) {
    const more = total > skippedFiles.length ? [soft(`and ${counted(total - skippedFiles.length)} more`)] : [];
    parts.push(make("details", {}, make("summary", {}, "Files that were not compared"),
      places(skippedFiles.map(([path, reason]) => `${path}: ${reason.replaceAll("_", " ")}`)), ...more));
  }
  if (failed.length) parts.push(make("h3", {}, "Sources that could not be read"), places(failed));
  if (unnamedFailed) parts.push(make("p", {}, `${plural(unnamedFailed, "source")} could not be read.`));
  tables.after(...parts);
}

const [PICTURED, MAP_ROW] = [60, 22]; // files on each side of the picture, and the height of each

/** Where the files of one corpus are in the other, as a picture and as rows; nothing if there is only one corpus. */
function mapParts(words, { map, files }) {
  if (map === null) return [];
  const paths = (numbers) => numbers.slice(0, PATHS).flatMap((number) => [files.path[number], make("br")])
    .concat(numbers.length > PATHS ? `and ${counted(numbers.length - PATHS)} more` : []);
  const rows = map.entries.map(({ change, left, right, left_share: there, right_share: back }) =>
    [words.changes[change], paths(left), paths(right), percent(there), percent(back)]);
  const alone = (title, numbers, more) => (numbers.length
    ? [make("h3", {}, title), places(numbers.map((number) => files.path[number]).concat(more ? `and ${counted(more)} more` : []))]
    : []);
  const [name, count] = [{ className: "name" }, { className: "count", isSorting: false }];
  return [
    ...mapPicture(map.entries, files),
    tableOf("Files of both corpora", [{ title: "change" }, { ...name, title: "first corpus" },
      { ...name, title: "second corpus" }, { ...count, title: "in the second" }, { ...count, title: "from the first" }],
    rows, true),
    ...(map.more ? [soft(`and ${plural(map.more, "more row")}`)] : []),
    ...alone("In the first corpus alone", map.only_left, map.more_left),
    ...alone("In the second corpus alone", map.only_right, map.more_right),
  ];
}

/** The files of both corpora in two columns, with a line from each to its matches; unchanged files are left out. */
function mapPicture(entries, files) {
  const edges = entries.filter(({ change }) => change !== "same").flatMap((entry) => entry.edges);
  const [left, right] = [new Map(), new Map()];
  const hasRoom = (column, file) => column.has(file) || column.size < PICTURED;
  const drawn = edges.filter((edge) => {
    if (!hasRoom(left, edge.left) || !hasRoom(right, edge.right)) return false;
    for (const [column, file] of [[left, edge.left], [right, edge.right]]) {
      if (!column.has(file)) column.set(file, column.size * MAP_ROW + MAP_ROW / 2);
    }
    return true;
  });
  if (!drawn.length) return [];
  const lines = drawn.map((edge) => {
    const [y1, y2] = [left.get(edge.left), right.get(edge.right)];
    return make("svg:path", { attributes: {
      d: `M 400 ${y1} C 500 ${y1}, 500 ${y2}, 600 ${y2}`,
      "stroke-width": (1 + 7 * Math.max(edge.left_share, edge.right_share)).toFixed(1),
    } }, make("svg:title", {}, `${percent(edge.left_share)} of the left file, ${percent(edge.right_share)} of the right file`));
  });
  const names = [[left, 392, "end"], [right, 608, ""]].flatMap(([column, x, className]) => [...column].map(([file, y]) =>
    make("svg:text", { attributes: { class: className, x, y: y + 4 } }, files.path[file])));
  const svg = make("svg:svg", { attributes: {
    viewBox: `0 0 1000 ${Math.max(left.size, right.size) * MAP_ROW}`,
    role: "img",
    "aria-label": "Files of both corpora, with lines between those that share code; the table has the same",
  } }, ...lines, ...names);
  const more = edges.length - drawn.length;
  return [make("figure", { className: "map" }, svg, make("figcaption", { className: "soft" },
    `Files that stayed as they are have no line.${more ? ` ${plural(more, "more line")} are not drawn.` : ""}`))];
}

/** The folders that are copies of folders of the second corpus; nothing if there are none. */
function vendoredParts({ vendored }) {
  if (!vendored.length) return [];
  const place = (repository, folder) => (folder ? `${repository} ${folder}/` : repository);
  const rows = vendored.map((copy) => {
    const paths = [["changed", copy.changed], ["added", copy.added], ["missing", copy.missing]];
    const details = make("details", {},
      make("summary", {}, paths.map(([, some]) => counted(some.length)).join(" / ")),
      ...paths.filter(([, some]) => some.length).map(([what, some]) => make("p", {}, `${what}: ${someOf(some, PATHS)}`)));
    return [place(copy.repository, copy.folder), place(copy.origin, copy.origin_folder),
      copy.tag || copy.revision.slice(0, 12), percent(copy.containment), counted(copy.files), counted(copy.identical), details];
  });
  const [name, count] = [{ className: "name" }, { className: "count", isSorting: false }];
  return [tableOf("Copied folders", [{ ...name, title: "folder" }, { ...name, title: "is a copy of" },
    { title: "at", isSorting: false }, { ...count, title: "share" }, { ...count, title: "files" },
    { ...count, title: "identical" }, { ...name, title: "changed / added / missing", isSorting: false }], rows, true)];
}
