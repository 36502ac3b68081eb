import type { CodeTree } from '../../code/code-tree.ts';
import { dependsOn, type Side } from '../side.ts';
import type { PlacedDiagnostic } from './diagnostic-keys.ts';

const mostFiles = 5000;

/** Tips in the order in which they are likely to have part in a problem: its file, what that leads to, the rest. */
export async function suspectsOf(
  diagnostic: PlacedDiagnostic,
  union: CodeTree,
  members: readonly number[],
  sides: readonly Side[],
  textOf: (side: Side, file: string) => Promise<string | null>,
): Promise<number[]> {
  const { file, text } = diagnostic;
  await union.link([file]);
  const trace = union.linked(file)?.trace;
  const closure = await importClosure(union, file);
  const ranks = new Map<number, number>();
  for (const index of members) {
    const side = sides[index];
    if (!side) continue;
    if (side.changed.has(file)) ranks.set(index, (await bringsLine(side, file, text, textOf)) ? 0 : 1);
    else if (trace && dependsOn(trace, side)) ranks.set(index, 2);
    else ranks.set(index, side.changes.some(({ path }) => closure.has(path)) ? 3 : 4);
  }
  return [...members].sort((a, b) => (ranks.get(a) ?? 4) - (ranks.get(b) ?? 4) || a - b);
}

async function bringsLine(
  side: Side,
  file: string,
  line: string,
  textOf: (side: Side, file: string) => Promise<string | null>,
): Promise<boolean> {
  return (await textOf(side, file))?.includes(line) ?? false;
}

/** Every file that a file leads to. */
async function importClosure(union: CodeTree, file: string): Promise<Set<string>> {
  const closure = new Set([file]);
  let open = [file];
  while (open.length > 0 && closure.size < mostFiles) {
    await union.link(open);
    const next = new Set(open.flatMap((path) => [...(union.linked(path)?.trace.names.keys() ?? [])]));
    open = [...next].filter((path) => !closure.has(path));
    for (const path of open) closure.add(path);
  }
  return closure;
}
