import type { Rule } from '#check/rules/rule.ts';
import { tableOf } from '#cli/args/commands-page.ts';
import type { RuleFacts } from '#schema/rules.ts';
import {
  type AlarmHistory,
  historiesOf,
  mergeCount,
  mergesWith,
  readAlarms,
} from '../bench/accuracy/alarm-data.ts';
import { readSeeded, type SeededWay } from '../bench/accuracy/seeded-data.ts';

type Figures = Required<Pick<RuleFacts, 'alarms' | 'measured'>>;

/** The measured figures of a rule; empty if it was not run. */
export function figuresOf(id: string): Partial<Figures> {
  const histories = historiesOf(readAlarms(), id);
  const merges = mergeCount(histories);
  const seeded = readSeeded().map(({ said }) => said[id] ?? { real: 0, wrong: 0 });
  const real = seeded.reduce((sum, each) => sum + each.real, 0);
  const findings = real + seeded.reduce((sum, each) => sum + each.wrong, 0);
  return {
    ...(merges > 0 ? { alarms: { merges, with: mergesWith(histories, id) } } : {}),
    ...(findings > 0 ? { measured: { findings, real } } : {}),
  };
}

/** The text of a rule's file with its figures. */
export function withFigures(text: string, id: string): string {
  const { alarms, measured } = figuresOf(id);
  const lines = [
    ...(alarms ? [`  alarms: { merges: ${alarms.merges}, with: ${alarms.with} },\n`] : []),
    ...(measured ? [`  measured: { findings: ${measured.findings}, real: ${measured.real} },\n`] : []),
  ].join('');
  return text
    .replace(/^ {2}(?:alarms|measured): \{.*\},\n/gm, '')
    .replace(/^ {2}precision: .*\n/m, (line) => `${line}${lines}`);
}

/** Alarms of every rule on real merges, for docs/accuracy.md. */
export function alarmsTable(rules: readonly Rule[]): string {
  const histories = readAlarms();
  const projects = histories.map(({ repository, commit, merges, alarms, heldOut }) => [
    repository.replace('https://github.com/', ''),
    `\`${commit.slice(0, 12)}\``,
    heldOut ? 'held out' : 'tuned on',
    String(merges.length),
    String(new Set(alarms.map((each) => each.commit)).size),
  ]);
  const [tuned, heldOut] = [
    histories.filter((each) => !each.heldOut),
    histories.filter((each) => each.heldOut),
  ];
  const rows = rules
    .filter(({ id }) => historiesOf(histories, id).length > 0)
    .map(({ id, name, severity }) => [
      `${id} ${name}`,
      severity,
      shareOf(tuned, id),
      shareOf(heldOut, id),
      intervalOf(mergesWith(histories, id), mergeCount(historiesOf(histories, id))),
    ]);
  return [
    tableOf(['Repository', 'At', 'Used for', 'Clean merges', 'With a finding'], projects),
    `${mergeCount(histories)} clean merges in all.`,
    tableOf(['Rule', 'Severity', 'Alarms, tuned on', 'Alarms, held out', '95 % interval of both'], rows),
  ].join('\n\n');
}

function shareOf(histories: readonly AlarmHistory[], rule: string): string {
  return `${mergesWith(histories, rule)} of ${mergeCount(historiesOf(histories, rule))}`;
}

/** Seeded conflicts of every rule, separately for tuned and held-out projects. */
export function seededTable(rules: readonly Rule[]): string {
  const all = readSeeded();
  const rows = rules.flatMap(({ id, name }) => {
    const own = all.filter((way) => way.rule === id);
    if (own.length === 0) return [];
    return [false, true].flatMap((heldOut) => {
      const part = own.filter((way) => way.heldOut === heldOut);
      return part.length === 0 ? [] : [seededRow(`${id} ${name}`, heldOut, part)];
    });
  });
  const kept = all.reduce((sum, way) => sum + way.kept, 0);
  const python = all.reduce((sum, way) => sum + (way.language === 'python' ? way.kept : 0), 0);
  const names = (wanted: boolean) =>
    [...new Set(all.flatMap(({ heldOut, project }) => (heldOut === wanted ? project : [])))].sort();
  return [
    tableOf(
      [
        'Rule',
        'Projects',
        'Oracle',
        'Kept',
        'Python',
        'Found',
        '95 % interval',
        'Wrong findings',
        'Twins with an alarm',
      ],
      rows,
    ),
    `${kept} conflicts in all, ${Math.round((100 * python) / Math.max(1, kept))} % of them in Python. Tuned on: ${names(false).join(', ')}. Held out: ${names(true).join(', ') || 'none'}.`,
  ].join('\n\n');
}

function seededRow(label: string, heldOut: boolean, ways: readonly SeededWay[]): string[] {
  const sum = (of: (way: SeededWay) => number) => ways.reduce((total, way) => total + of(way), 0);
  const [kept, found] = [sum((way) => way.kept), sum((way) => way.found)];
  return [
    label,
    heldOut ? 'held out' : 'tuned on',
    [...new Set(ways.map(({ oracle }) => oracle))].join(', '),
    String(kept),
    String(sum((way) => (way.language === 'python' ? way.kept : 0))),
    kept === 0 ? '–' : percent(found / kept),
    intervalOf(found, kept),
    String(sum(({ said }) => Object.values(said).reduce((total, { wrong }) => total + wrong, 0))),
    `${sum((way) => way.twinAlarms)} of ${kept}`,
  ];
}

function intervalOf(hits: number, of: number): string {
  if (of === 0) return 'n/a';
  const [low, high] = wilson(hits, of);
  return `${percent(low)} to ${percent(high)}`;
}

/** The 95 % Wilson interval of a share. */
function wilson(hits: number, of: number): [low: number, high: number] {
  const [z, share] = [1.96, hits / of];
  const middle = share + (z * z) / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const whole = 1 + (z * z) / of;
  return [Math.max(0, (middle - spread) / whole), Math.min(1, (middle + spread) / whole)];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
