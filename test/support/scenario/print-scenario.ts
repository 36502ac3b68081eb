import { printContent } from './content.ts';
import { printHeader } from './header.ts';
import type { Branch, Files, Scenario } from './scenario.ts';
import { printSectionLine } from './section-line.ts';

/** The text of a scenario, which `parseScenario` reads back. */
export function printScenario({ title, rule, risk, base, branches, main, expected }: Scenario): string {
  const sides = [...(main ? [{ name: 'main', changes: main }] : []), ...branches];
  const header = printHeader({
    title,
    rule,
    branches: sides.map(({ name }) => name),
    ...(risk ? { risk } : {}),
    ...expected,
  });
  const sections = [
    ...[...base].flatMap(([path, content]) => printFile(`base/${path}`, content)),
    ...sides.flatMap((side) => printChanges(base, side)),
  ];
  return `${[header, ...sections].join('\n')}\n`;
}

function printFile(name: string, content: Buffer): string[] {
  const { notes, lines } = printContent(content);
  return [printSectionLine({ name, change: { kind: 'content', notes } }), ...lines];
}

function printChanges(base: Files, { name, changes }: Branch): string[] {
  const sources = movesIn(base, changes);
  const moved = new Set(sources.values());
  return [...changes].flatMap(([path, content]) => {
    const from = sources.get(path);
    if (from !== undefined)
      return [printSectionLine({ name: `${name}/${path}`, change: { kind: 'moved', from } })];
    if (content !== null) return printFile(`${name}/${path}`, content);
    return moved.has(path)
      ? []
      : [printSectionLine({ name: `${name}/${path}`, change: { kind: 'deleted' } })];
  });
}

/** The old paths of files that a branch only moved, by new path: independent of the order of the changes. */
function movesIn(base: Files, changes: Branch['changes']): Map<string, string> {
  const sources = new Map<string, string>();
  const sorted = [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [from, gone] of sorted) {
    const before = base.get(from);
    if (gone !== null || !before) continue;
    const to = sorted.find(([path, content]) => content?.equals(before) && !sources.has(path))?.[0];
    if (to !== undefined) sources.set(to, from);
  }
  return sources;
}
