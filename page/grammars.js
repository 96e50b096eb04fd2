// Grammars: each is loaded when a file first needs it, and then kept for use without a network.

const KEPT = "wherefrom-grammars";

/** The kept grammars; null in a browser that keeps nothing, such as a private window. */
async function opened() {
  try {
    return await caches.open(KEPT);
  } catch {
    return null;
  }
}

/** The grammars of the site. */
export class Grammars {
  /** @param {Record<string, {hash: string, size: number}>} known  by name; `hash` is SHA-256 in base64 */
  constructor(known) {
    this.known = known;
    this.loaded = new Map();
  }

  /** The compiled grammar. Fails if it is not kept and there is no network. @returns {Promise<WebAssembly.Module>} */
  load(name) {
    if (!this.loaded.has(name)) {
      const compiled = this.bytes(name).then((bytes) => WebAssembly.compile(bytes));
      compiled.catch(() => this.loaded.delete(name)); // it is tried again when the next file needs it
      this.loaded.set(name, compiled);
    }
    return this.loaded.get(name);
  }

  /** The names of the grammars that are kept in this browser. @returns {Promise<string[]>} */
  async kept() {
    const cache = await opened();
    if (cache === null) return [];
    const places = new Set((await cache.keys()).map((request) => request.url));
    return Object.keys(this.known).filter((name) => places.has(new URL(this.place(name), location.href).href));
  }

  /** Keeps all grammars. @param {(done: number, total: number) => void} progress */
  async keepAll(progress) {
    const names = Object.keys(this.known);
    for (const [number, name] of names.entries()) {
      progress(number, names.length);
      await this.bytes(name);
    }
  }

  /** Removes grammars of older versions of the site. */
  async removeOld() {
    const cache = await opened();
    if (cache === null) return;
    const current = new Set(Object.keys(this.known).map((name) => new URL(this.place(name), location.href).href));
    const site = new URL("grammars/", location.href).href;
    for (const request of await cache.keys()) {
      if (request.url.startsWith(site) && !current.has(request.url)) await cache.delete(request);
    }
  }

  place(name) {
    return `grammars/${name}.wasm?${encodeURIComponent(this.known[name].hash)}`;
  }

  async bytes(name) {
    const cache = await opened();
    const place = this.place(name);
    const kept = await cache?.match(place);
    if (kept !== undefined) return kept.arrayBuffer();
    const response = await fetch(place, { integrity: `sha256-${this.known[name].hash}` });
    if (!response.ok) throw new Error(`the server answers ${response.status} for ${place}`);
    await cache?.put(place, response.clone()).catch(() => {}); // a full disk is no reason not to use it now
    return response.arrayBuffer();
  }
}
