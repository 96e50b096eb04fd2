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

document.getElementById("unscripted")?.remove();
showReport(document.body, {
  overview: () => embedded("overview"),
  block: (kind, number) => embedded(`${kind}-${number}`),
}).then(() => {
  document.documentElement.dataset.ready = "yes";
});
