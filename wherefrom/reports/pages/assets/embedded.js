// The start of the page of a comparison that is one file: its data is in the page, compressed.

const inflated = new Map();

/** Inflates a value that the page has compressed, once. */
function embedded(name) {
  if (!inflated.has(name)) {
    const text = document.getElementById(`packed-${name}`).textContent;
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    inflated.set(name, new Response(stream).json());
  }
  return inflated.get(name);
}

/** Where a server keeps the reviews; undefined if the browser keeps them. */
const reviewsAt = document.getElementById("kept-reviews")?.dataset.address;

async function overview() {
  const found = await embedded("overview");
  if (reviewsAt) {
    const answer = await fetch(reviewsAt);
    if (answer.ok) for (const { pair, state, note } of (await answer.json()).reviews) found.reviews[pair] = { state, note };
  }
  return found;
}

async function keep(pair, review) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${reviewsAt}/${encodeURIComponent(pair)}`, { method: "PUT", headers, body: JSON.stringify(review) });
  return answer.ok;
}

document.getElementById("unscripted")?.remove();
showReport(document.body, {
  overview,
  block: (kind, number) => embedded(`${kind}-${number}`),
  keep: reviewsAt && keep,
}).then(() => {
  document.documentElement.dataset.ready = "yes";
});
