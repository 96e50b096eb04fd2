// Starts workers that keep to the policy of the page.

const addresses = new Map(); // of the blobs, by script

/**
 * Starts a worker. The service worker gives its script the policy of the page. Without one, a script that is loaded from an
 * address has the policy of the server's answer, which is none on a plain server, so it is imported by a blob, which has that
 * of the page. Firefox asks the network for what a blob imports, even if a service worker has it.
 * @param {string} script  its address
 * @param {(data: any) => void} heard  gets what the worker posts
 * @param {(why: string) => void} failed  gets the reason if the script cannot be loaded or fails
 * @returns {Worker}
 */
export function started(script, heard, failed) {
  if (navigator.serviceWorker?.controller) {
    addresses.set(script, script);
  } else if (!addresses.has(script)) {
    const line = `import ${JSON.stringify(new URL(script, location.href).href)};`;
    addresses.set(script, URL.createObjectURL(new Blob([line], { type: "text/javascript" })));
  }
  const worker = new Worker(addresses.get(script), { type: "module" });
  worker.onmessage = ({ data }) => heard(data);
  worker.onerror = (event) => {
    event.preventDefault();
    failed(event.message || `${script} cannot be loaded`);
  };
  return worker;
}
