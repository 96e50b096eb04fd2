// The page of a check: its filter, and the baseline that a reader makes.

const report = readJson("report");
const rows = [...document.querySelectorAll("#contents tbody tr")];
const accepted = new Kept(`wherefrom check ${report.key}`);
const filter = document.getElementById("filter");

/** Whether the reader accepted an entry. */
const isAccepted = (entry) => accepted.get(entry.key) === true;

function applyFilter() {
  const wanted = filter.elements.text.value.trim().toLowerCase();
  const rule = filter.elements.rule.value;
  const state = filter.elements.state.value;
  let shown = 0;
  for (const row of rows) {
    const entry = report.entries[row.dataset.entry];
    const kind = isAccepted(entry) ? "accepted" : row.dataset.kind;
    const fits = (!wanted || row.textContent.toLowerCase().includes(wanted))
      && (!rule || row.dataset.rules.split(" ").includes(rule)) && (!state || state === kind);
    row.hidden = !fits;
    document.getElementById(row.dataset.entry).hidden = !fits;
    shown += fits;
  }
  for (const file of document.querySelectorAll("details.file")) {
    file.hidden = ![...file.querySelectorAll(".entry")].some((entry) => !entry.hidden);
  }
  document.getElementById("shown").textContent = `${plural(shown, "entry", "entries")} of ${rows.length.toLocaleString("en")}`;
}

function countAccepted() {
  const number = Object.values(report.entries).filter(isAccepted).length;
  const button = document.getElementById("export");
  button.textContent = number ? `Export the baseline with ${number.toLocaleString("en")} more` : "Export the baseline";
  document.getElementById("not-kept").hidden = accepted.isKept;
}

/** The baseline of the run with the entries that the reader accepted on this page. */
function baseline() {
  const chosen = Object.values(report.entries).filter(isAccepted).flatMap((entry) => entry.findings);
  const order = ({ path, rule, fingerprint }) => JSON.stringify([path, rule, fingerprint]);
  const all = new Map([...report.baseline.findings, ...chosen].map((finding) => [order(finding), finding]));
  return { ...report.baseline, findings: [...all.keys()].sort().map((key) => all.get(key)) };
}

for (const row of rows) {
  const entry = report.entries[row.dataset.entry];
  if (!entry.findings.length) continue;
  const box = make("input", { type: "checkbox", checked: isAccepted(entry) });
  const label = make("label", { className: "screen" }, box, "accept");
  box.addEventListener("change", () => {
    accepted.set(entry.key, box.checked || undefined);
    countAccepted();
    applyFilter();
  });
  document.querySelector(`#${CSS.escape(row.dataset.entry)} .heading`).append(label);
}

filter.addEventListener("input", applyFilter);
filter.addEventListener("submit", (event) => event.preventDefault());
document.getElementById("export").addEventListener("click", () => download("wherefrom-baseline.json", baseline()));
filter.hidden = false;

/** Opens the file of the entry that the address of the page names. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const file = target?.closest("details");
  if (file && !file.open) {
    file.open = true;
    target.scrollIntoView();
  }
}

addEventListener("hashchange", openTarget);
applyFilter();
countAccepted();
openTarget();

const colored = new WeakSet();
const watcher = new IntersectionObserver((seen) => {
  const fresh = seen.filter((entry) => entry.isIntersecting && !colored.has(entry.target)).map((entry) => entry.target);
  for (const element of fresh) {
    colored.add(element);
    watcher.unobserve(element);
  }
  colorCode(fresh.flatMap(uncolored));
}, { rootMargin: "500px" });
for (const element of document.querySelectorAll("pre")) watcher.observe(element);
