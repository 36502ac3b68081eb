import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { joineryServer, type ServerOptions } from './joinery-server.ts';
import { Rooms } from './rooms.ts';
import { Shelf } from './shelf.ts';

/** Serves one client on stdin and stdout until it closes them. */
export async function serveStdio(options: ServerOptions): Promise<void> {
  const rooms = new Rooms(options);
  const server = joineryServer(options, rooms, new Shelf());
  const ended = Promise.withResolvers<void>();
  process.stdin.once('end', ended.resolve);
  process.stdin.once('close', ended.resolve);
  server.server.onclose = ended.resolve;
  await server.connect(new StdioServerTransport());
  await ended.promise;
  await server.close();
  await rooms.close();
}
