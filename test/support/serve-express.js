/** Serves the Express application of a file until its input ends: `node serve-express.js <file>` prints the port. */
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const { app } = await import(pathToFileURL(process.argv[2] ?? '').href);
const server = createServer(app);
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(port);
});
process.stdin.resume().once('end', () => process.exit());
