// Keeps the page for use without a network. All files that a page gets are of one version. A newer version waits until only
// one tab has the page open, with nothing chosen in it.

// The build puts in the version of the site, the policy of its page, and its files, each with its SHA-256 in base64.
const SITE = { version: "", policy: "", files: {} };
const KEPT = `wherefrom-page ${registration.scope} `;
const CACHE = `${KEPT}${SITE.version}`;

const place = (path) => new URL(path, registration.scope).href;
const places = new Map(Object.keys(SITE.files).map((path) => [place(path), path]));
places.set(place("./"), "index.html");

/** Gets all files; a file of another version of the site is refused, so that versions are never mixed. */
async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(Object.entries(SITE.files).map(async ([path, hash]) => {
    const request = new Request(place(path), { cache: "no-cache", integrity: `sha256-${hash}` });
    const response = await fetch(request);
    if (!response.ok) throw new Error(`${path}: the server answers ${response.status}`);
    await cache.put(place(path), path.endsWith(".js") ? withPolicy(response) : response);
  }));
}

/** The answer with a script, with the policy of the page: a plain server gives a worker none. */
function withPolicy(response) {
  const headers = new Headers(response.headers);
  headers.set("Content-Security-Policy", SITE.policy);
  return new Response(response.body, { headers });
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(KEPT) && name !== CACHE) await caches.delete(name);
  }
  await clients.claim();
}

/** Lets this version replace the older one if the page that asks is the only one; otherwise tells it to say so. */
async function replace(page) {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length > 1) page.postMessage("other tabs");
  else await skipWaiting();
}

async function answer(request, path) {
  const kept = await (await caches.open(CACHE)).match(place(path));
  return kept ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => event.waitUntil(replace(event.source)));
self.addEventListener("fetch", (event) => {
  const path = places.get(event.request.url.replace(/[?#].*$/, ""));
  if (event.request.method === "GET" && path !== undefined) event.respondWith(answer(event.request, path));
});
