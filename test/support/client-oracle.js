/**
 * Serves the Express application of a tree and lets the client of the tree ask it: `node client-oracle.js <tree>` prints the status of
 * the answer.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [tree = ''] = process.argv.slice(2);
/** @param {string} path @returns {Promise<any>} */
const load = (path) => import(pathToFileURL(join(tree, path)).href);

const { app } = await load('src/orders.ts');
const server = createServer(app);
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const ask = globalThis.fetch;
globalThis.fetch = (path, options) => ask(`http://127.0.0.1:${port}${path}`, options);
const client = await load('web/orders.ts');
const { status } = await client.load('1');
console.log(status);
server.closeAllConnections();
server.close();
