import { dialectOf } from '#code/languages/index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { ReadEdge } from './reach.ts';

/** What a file imports and re-exports anywhere, also inside functions and conditions, but not type-only imports. */
export async function edgesOf(tip: CodeTree, from: string): Promise<ReadEdge[]> {
  const facts = tip.facts(from);
  if (!facts) return [];
  const isDotted = dialectOf(from)?.imports.specifiers === 'dotted';
  const wanted = new Map<string, boolean>();
  for (const { from: specifier, imported, typeOnly } of facts.imports) {
    if (typeOnly) continue;
    wanted.set(specifier, wanted.get(specifier) ?? false);
    // `from pkg import module` loads the module.
    const inner = `${specifier}${specifier.endsWith('.') ? '' : '.'}${imported}`;
    if (isDotted && !imported.startsWith('*')) wanted.set(inner, wanted.get(inner) ?? false);
  }
  for (const { from: specifier, typeOnly } of facts.exports)
    if (specifier !== null && !typeOnly) wanted.set(specifier, true);
  const edges: ReadEdge[] = [];
  for (const [specifier, isPassedOn] of wanted) {
    const target = await tip.resolve(specifier, from);
    if (target.status !== 'found' || target.path === from) continue;
    // A Python module re-exports everything it imports.
    edges.push({ from, to: target.path, isPassedOn: isPassedOn || isDotted });
  }
  return edges;
}
