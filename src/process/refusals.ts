import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '#lib/parse-json.ts';
import { readFoundFile } from '#lib/read-found-file.ts';
import { visibleLine } from '#lib/visible.ts';

/** In the temporary folder of a task: what its programs tried to decide and were refused. */
export const refusalsName = '.joinery-refused';

const mostBytes = 64 * 1024;
const most = 20;
const longest = 300;

/** Reads the notes and removes them. Programs of the work write them, so that they are only shown. */
export function takeRefusals(env: Readonly<Record<string, string | undefined>>): string[] {
  const folder = env.TMPDIR;
  if (folder === undefined || folder === process.env.TMPDIR) return [];
  const file = join(folder, refusalsName);
  const text = readFoundFile(file, mostBytes);
  if (text === null) return [];
  rmSync(file, { recursive: true, force: true });
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.slice(0, most).map((line) => {
    const said = parseJson(line) as { what?: unknown; process?: unknown } | null | undefined;
    return visibleLine(
      `${said?.process ?? 'a process'} tried to decide and was refused: ${said?.what ?? ''}`,
    ).slice(0, longest);
  });
}
