/**
 * Serves the Express application of a tree and lets the client of the tree send a request: `node client-oracle.js <tree>` prints
 * the status of the answer. A few lines around fetch replace axios and ky: only the requested address matters here.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const clients = {
  axios: `const create = ({ baseURL = '' } = {}) => ({ get: (path) => fetch(baseURL + path) }); export default { ...create(), create };`,
  ky: `const get = (path) => ({ json: () => fetch(path) }); export default { get };`,
};
registerHooks({
  resolve: (specifier, context, next) =>
    specifier in clients ? { url: `client:${specifier}`, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url.startsWith('client:')
      ? {
          format: 'module',
          source: clients[/** @type {keyof typeof clients} */ (url.slice('client:'.length))],
          shortCircuit: true,
        }
      : next(url, context),
});

const [tree = ''] = process.argv.slice(2);
/** @param {string[]} paths @returns {Promise<any>} */
function load(...paths) {
  const found = paths.map((path) => join(tree, path)).find(existsSync);
  if (found === undefined) throw new Error(`${tree} has none of ${paths.join(', ')}`);
  return import(pathToFileURL(found).href);
}

const { app } = await load('src/orders.ts', 'src/app.ts');
const server = createServer(app);
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const ask = globalThis.fetch;
globalThis.fetch = (path, options) => ask(`http://127.0.0.1:${port}${path}`, options);
const client = await load('web/orders.ts', 'web/order.ts');
const { status } = await client.load('1');
console.log(status);
server.closeAllConnections();
server.close();
