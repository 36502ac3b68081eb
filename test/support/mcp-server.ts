import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** An MCP server over standard streams with one tool, `note`, that appends a line to the file in `NOTES`. */
const answer = (id: unknown, result: object) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'lab', version: '1.0.0' },
    });
  } else if (method === 'tools/list') {
    const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    answer(id, { tools: [{ name: 'note', description: 'Notes a text.', inputSchema }] });
  } else if (method === 'tools/call') {
    appendFileSync(process.env.NOTES ?? '', `${params.arguments.text}\n`);
    answer(id, { content: [{ type: 'text', text: 'noted' }] });
  } else if (id !== undefined) answer(id, {});
});
