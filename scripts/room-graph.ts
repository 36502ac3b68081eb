import { globSync, readFileSync } from 'node:fs';
import { root } from './root.ts';

/** Most rooms import these; drawing them would hide the rest. */
const groundFloor = new Set(['lib', 'schema', 'process', 'git']);
/** `import type` loads nothing. */
const valueImport = /^(?:import|export)(?! type\b)[^;]*? from '#([a-z]+)\//gm;

export function withRoomGraph(page: string): string {
  return page.replace(
    /(<!-- rooms: .*? -->\n).*?(\n<!-- end of rooms -->)/s,
    (_all, start: string, end: string) => `${start}\n${roomGraph()}\n${end}`,
  );
}

/** Value imports between rooms, without tests: `crew --> agents & check`. */
function roomGraph(): string {
  const edges = new Map<string, Set<string>>();
  for (const file of globSync('src/*/**/*.ts', { cwd: root }).sort()) {
    if (file.includes('.test.')) continue;
    const from = file.replaceAll('\\', '/').split('/')[1] ?? '';
    const targets = edges.get(from) ?? new Set<string>();
    edges.set(from, targets);
    for (const [, to = ''] of readFileSync(`${root}${file}`, 'utf8').matchAll(valueImport))
      if (to !== from && !groundFloor.has(to)) targets.add(to);
  }
  const rows = [...edges]
    .filter(([from, targets]) => targets.size > 0 && !groundFloor.has(from))
    .sort(([a, x], [b, y]) => y.size - x.size || (a < b ? -1 : 1))
    .map(([from, targets]) => `  ${from} --> ${[...targets].sort().join(' & ')}`);
  return ['```mermaid', 'graph TD', ...rows, '```'].join('\n');
}
