import { visibleLine } from '#lib/visible.ts';
import { formatElapsed } from '#report/text/figures.ts';
import type { Page } from '#report/text/page.ts';
import { wrap } from '#report/text/wrap.ts';
import type { AgentsReport, TryReport } from '#schema/agents-report.ts';

const readOnlyWords = {
  enforced: 'read-only enforced',
  refused: 'read-only by refusing',
  none: 'not read-only',
} as const;

const tokenWords = {
  'each-answer': 'tokens each answer',
  'at-end': 'tokens at the end (until then only time and turns bind)',
  none: 'no tokens',
} as const;

const marks = {
  ready: ['green', 'ready'],
  untested: ['yellow', 'untested'],
  missing: ['dim', 'missing'],
} as const;

/** Below this width, what does not fit beside the agent names goes below them. */
const narrow = 70;

export function renderAgents(
  { agents }: AgentsReport,
  { paint, width }: Pick<Page, 'paint' | 'width'>,
): string {
  const column = Math.max(0, ...agents.map(({ name }) => name.length)) + 2;
  return agents
    .flatMap(({ name, title, status, program, version, tested, install, works }) => {
      const [style, word] = marks[status];
      const found = [
        title,
        ...(version === null ? [] : [version]),
        ...(program === null ? [] : [`(${program})`]),
      ];
      const abilities = [
        readOnlyWords[works.readOnly],
        works.resume ? 'resumes' : 'does not resume',
        works.mcp ? 'MCP' : 'no MCP',
        tokenWords[works.tokens],
        `cost ${works.cost === 'table' ? 'by table' : works.cost}`,
      ];
      const indent = width < narrow ? '  ' : ' '.repeat(10 + column);
      const below = (text: string) => wrap(text, width - indent.length).map((line) => indent + line);
      const head = `${paint[style](word.padEnd(10))}${name.padEnd(column)}`;
      const [first = '', ...more] = wrap(visibleLine(found.join(' ')), width - 10 - column);
      return [
        `${head}${first}`,
        ...more.flatMap(below),
        ...(status === 'missing' ? [] : below(abilities.join(', ')).map((line) => paint.dim(line))),
        ...(status === 'untested' && version === null
          ? below(`→ its version is not known: joinery agents try ${name}`)
          : []),
        ...(status === 'untested' && version !== null && tested !== null
          ? below(`→ tested with ${tested}: ${install}`)
          : []),
        ...(status === 'untested' && version !== null && tested === null
          ? below(`→ our tests do not run it: joinery agents try ${name}`)
          : []),
        ...(status === 'missing' && install !== '' ? below(`→ ${install}`) : []),
      ];
    })
    .join('\n');
}

export function renderTry(report: TryReport, { paint }: Pick<Page, 'paint'>): string {
  const { agent, isDone, outcome, reason, changed, usage: spent, ms, version, model } = report;
  const verdict = isDone ? paint.green(`${agent} works.`) : paint.red(`${agent} did not do it.`);
  return [
    verdict,
    `  outcome  ${outcome}${reason === '' ? '' : `: ${visibleLine(reason)}`}`,
    `  changed  ${changed.map(visibleLine).join(', ') || 'nothing'}`,
    `  spent    ${spent.in} tokens in, ${spent.out} out${spent.usd > 0 ? `, $${spent.usd.toFixed(4)}` : ''}, ${formatElapsed(ms)}`,
    ...(version === null ? [] : [`  version  ${visibleLine(version)}`]),
    ...(model === null ? [] : [`  model    ${visibleLine(model)}`]),
  ].join('\n');
}
