// Starts workers that keep to the policy of the page.

const addresses = new Map(); // of the blobs, by script

/** The address of a blob that imports a script. */
function importing(script) {
  if (!addresses.has(script)) {
    const line = `import ${JSON.stringify(new URL(script, location.href).href)};`;
    addresses.set(script, URL.createObjectURL(new Blob([line], { type: "text/javascript" })));
  }
  return addresses.get(script);
}

/**
 * Starts a worker with the policy of the page. The service worker answers with that policy; a plain server answers without
 * one. Without a service worker, a blob imports the script, since a blob has the policy of the page. With one, that would
 * fail offline: Firefox asks the network for what a blob imports.
 * @param {string} script  its address
 * @param {(data: any) => void} heard  gets what the worker posts
 * @param {(why: string) => void} failed  gets the reason if the script cannot be loaded or fails
 * @returns {Worker}
 */
export function started(script, heard, failed) {
  const address = navigator.serviceWorker?.controller ? script : importing(script);
  const worker = new Worker(address, { type: "module" });
  worker.onmessage = ({ data }) => heard(data);
  worker.onerror = (event) => {
    event.preventDefault();
    failed(event.message || `${script} cannot be loaded`);
  };
  return worker;
}
