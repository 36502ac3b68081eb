import { visibleLine } from '#lib/visible.ts';
import { cutColumns } from '#report/text/columns.ts';
import { formatElapsed } from '#report/text/figures.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { CompareReport } from '#schema/compare.ts';

type ComparedRun = CompareReport['runs'][0];

/** Two columns that fit the terminal, and the differences below them. */
export function renderCompare({ runs, tasks, findings, diff }: CompareReport, page: Page): string {
  const { ellipsis } = marksOf(page);
  const label = Math.min(24, Math.max(10, ...tasks.map(({ id }) => id.length + 2)));
  const width = Math.max(12, Math.floor((page.width - label - 2) / 2));
  const row = (name: string, left: string, right: string) => {
    const cell = (text: string, room: number) => cutColumns(visibleLine(text), 0, room, ellipsis);
    return `${cell(name, label).padEnd(label)} ${cell(left, width - 1).padEnd(width)} ${cell(right, width)}`.trimEnd();
  };
  const both = (name: string, of: (side: ComparedRun) => string) => row(name, of(runs[0]), of(runs[1]));
  const lines = [
    both('run', ({ run }) => run),
    both('begun', ({ fork }) => (fork ? `fork of ${fork.from} at ${fork.at}` : 'on its own')),
    both('outcome', ({ status, reason }) => (reason === '' ? status : `${status}: ${reason}`)),
    both('landed', ({ landed }) => landed ?? 'no'),
    both('findings', ({ run }) => findingCount(findings, run === runs[0].run ? 0 : 1)),
    both('cost', ({ cost }) => `$${cost.usd.toFixed(2)}, ${cost.tokens} tokens`),
    both(
      'own cost',
      ({ cost, reused }) => `$${(cost.usd - reused.usd).toFixed(2)}, ${cost.tokens - reused.tokens} tokens`,
    ),
    both('agents', ({ agentMs }) => formatElapsed(agentMs)),
    both('time', ({ wallMs }) => formatElapsed(wallMs)),
    '',
    'Tasks',
    ...tasks.map(({ id, ends }) => row(`  ${id}`, taskEnd(ends[0]), taskEnd(ends[1]))),
  ];
  if (findings.length > 0) {
    lines.push('', 'Findings between tasks');
    for (const { rule, message, ends } of findings) {
      lines.push(row(`  ${rule}`, ends[0], ends[1]), `    ${visibleLine(message)}`);
    }
  }
  return [...lines, '', ...diffLines(diff)].join('\n');
}

function findingCount(findings: CompareReport['findings'], side: 0 | 1): string {
  const ends = findings.map(({ ends: both }) => both[side]).filter((end) => end !== 'none');
  return `${ends.length} found, ${ends.filter((end) => end === 'fixed').length} fixed`;
}

function taskEnd(end: CompareReport['tasks'][0]['ends'][0]): string {
  if (end === null) return 'not planned';
  const { status, attempts, agent, model } = end;
  const who = agent === null ? '' : `, ${agent}${model === null ? '' : ` ${model}`}`;
  return `${status}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${who}`;
}

function diffLines(diff: CompareReport['diff']): string[] {
  if (diff === null) return ['The result of one of them is gone: the trees cannot be compared.'];
  if (diff.isSame) return ['Both results are the same tree.'];
  return [
    `Results: ${diff.files.length} ${diff.files.length === 1 ? 'file differs' : 'files differ'}. Lines: ${diff.command}`,
    ...diff.files.map(
      ({ path, change, added, deleted }) =>
        `  ${change.padEnd(8)} ${visibleLine(path)}${added === null ? '' : ` +${added} -${deleted}`}`,
    ),
  ];
}
