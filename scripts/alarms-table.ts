import { readFileSync } from 'node:fs';
import { tableOf } from '#cli/args/commands-page.ts';
import { rules } from '#schema/rules.ts';
import { root } from './root.ts';

interface Measured {
  readonly repository: string;
  readonly commit: string;
  readonly last: number;
  /** Rules that were run; others were not measured. */
  readonly asked: readonly string[];
  readonly merges: readonly string[];
  readonly rules: Readonly<Record<string, { readonly findings: number; readonly merges: number }>>;
}

/** Alarms of every rule on real merges, as docs/accuracy.md shows them. */
export function alarmsTable(): string {
  const measured = JSON.parse(readFileSync(`${root}bench/accuracy/alarms.json`, 'utf8')) as Measured[];
  const merges = measured.reduce((sum, each) => sum + each.merges.length, 0);
  const projects = measured.map(({ repository, commit, last, merges: kept }) => [
    repository.replace('https://github.com/', ''),
    `\`${commit.slice(0, 12)}\``,
    String(last),
    String(kept.length),
  ]);
  const isMeasured = (id: string) => measured.every(({ asked }) => asked.includes(id));
  const rows = rules
    .filter(({ id }) => isMeasured(id))
    .map(({ id, name, severity }) => {
      const alarms = measured.reduce((sum, each) => sum + (each.rules[id]?.merges ?? 0), 0);
      const [low, high] = wilson(alarms, merges);
      return [`${id} ${name}`, severity, `${alarms} of ${merges}`, `${percent(low)} to ${percent(high)}`];
    });
  return [
    tableOf(['Repository', 'At', 'Newest merges', 'Main had moved, text merges'], projects),
    tableOf(['Rule', 'Severity', 'Merges with a finding', '95 % interval'], rows),
  ].join('\n\n');
}

/** The interval of Wilson for a share, at 95 %. */
function wilson(hits: number, of: number): [low: number, high: number] {
  if (of === 0) return [0, 1];
  const [z, share] = [1.96, hits / of];
  const middle = share + (z * z) / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const whole = 1 + (z * z) / of;
  return [Math.max(0, (middle - spread) / whole), Math.min(1, (middle + spread) / whole)];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
