import { surveyAgents } from '#agents/programs/known-agents.ts';
import { describeEvent, tryAgent } from '#app/try-agent.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { toNumber } from '#cli/args/to-number.ts';
import { formatElapsed } from '#cli/terminal/figures.ts';
import type { Paint } from '#cli/terminal/paint.ts';
import { wrap } from '#cli/terminal/wrap.ts';
import { loadConfig } from '#config/read-config.ts';
import type { Config } from '#config/settings.ts';
import { openRepository } from '#git/repository.ts';
import { visibleLine } from '#lib/visible.ts';
import type { AgentsReport, TryReport } from '#schema/agents-report.ts';
import { isJoineryError, UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { agentsTable } from './agents.table.ts';

export const run: Run<typeof agentsTable> = async (invocation) => {
  const [action = 'list', name] = invocation.positionals;
  if (action !== 'try') refuseTry(name, invocation.options.model);
  const { root, config } = await configHere(invocation);
  return action === 'try' ? tryOne(invocation, config, name) : list(invocation, config, root);
};

/** What only a try knows what to do with is not passed over. */
function refuseTry(name: string | undefined, model: string | undefined): void {
  if (name !== undefined)
    throw usage('no-try', `all agents are listed, not ${name} alone`, `joinery agents try ${name}`);
  if (model !== undefined)
    throw usage('no-try', '--model is for a try', `joinery agents try <agent> --model ${model}`);
}

/** Outside a repository there is no config, and agents can be looked for all the same. */
async function configHere({
  cwd,
  env,
}: Pick<Invocation, 'cwd' | 'env'>): Promise<{ root: string | null; config: Config }> {
  const root = await openRepository(cwd).then(
    ({ workTree }) => workTree,
    (error: unknown) => {
      if (isJoineryError(error)) return null;
      throw error;
    },
  );
  return { root, config: (await loadConfig({ root, env })).values };
}

async function list(
  { globals, terminal, env }: Invocation<typeof agentsTable>,
  config: Config,
  root: string | null,
): Promise<ExitCode> {
  const report = await surveyAgents(config, env, root);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderAgents(report, terminal.paint, terminal.width));
  return exitCodes.ok;
}

async function tryOne(
  { globals, terminal, env, options, onInterrupt }: Invocation<typeof agentsTable>,
  config: Config,
  name: string | undefined,
): Promise<ExitCode> {
  if (name === undefined) throw usage('no-agent', 'which agent?', 'joinery agents lists them');
  const seconds = toNumber(options.timeout);
  if (typeof seconds !== 'number' || seconds <= 0)
    throw usage('bad-timeout', `--timeout: ${options.timeout} is no time`, '--timeout 300');
  const stop = new AbortController();
  const isQuiet = globals.quiet || globals.json;
  const trying = tryAgent({
    name,
    config,
    env,
    model: options.model ?? null,
    wallMs: Math.ceil(seconds * 1000),
    signal: stop.signal,
    report: (event) => {
      const line = describeEvent(event);
      if (line === null || isQuiet) return;
      terminal.settle();
      process.stderr.write(`${line}\n`);
    },
  });
  // Programs take seconds to start, and models to answer.
  const began = performance.now();
  const clock = setInterval(
    () => terminal.progress(`waiting for ${name}, ${formatElapsed(performance.now() - began)}`),
    1000,
  );
  const forget = onInterrupt(async () => {
    stop.abort('interrupted');
    await trying.catch(() => {});
  });
  try {
    const report = await trying;
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderTry(report, terminal.paint));
    return report.isDone ? exitCodes.ok : exitCodes.findings;
  } finally {
    clearInterval(clock);
    terminal.settle();
    forget();
  }
}

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

function usage(code: string, message: string, hint: string): UsageError {
  return new UsageError({ code, message, hint });
}

const marks = {
  ready: ['green', 'ready'],
  untested: ['yellow', 'untested'],
  missing: ['dim', 'missing'],
} as const;

/** What has no room beside the names of agents stands below them. */
const narrow = 70;

function renderAgents({ agents }: AgentsReport, paint: Paint, width: number): string {
  const column = Math.max(...agents.map(({ name }) => name.length)) + 2;
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
      const head = `${paint(style, word.padEnd(10))}${name.padEnd(column)}`;
      const [first = '', ...more] = wrap(visibleLine(found.join(' ')), width - 10 - column);
      return [
        `${head}${first}`,
        ...more.flatMap(below),
        ...(status === 'missing' ? [] : below(abilities.join(', ')).map((line) => paint('dim', line))),
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

function renderTry(report: TryReport, paint: Paint): string {
  const { agent, isDone, outcome, reason, changed, usage: spent, ms, version, model } = report;
  const verdict = isDone ? paint('green', `${agent} works.`) : paint('red', `${agent} did not do it.`);
  return [
    verdict,
    `  outcome  ${outcome}${reason === '' ? '' : `: ${visibleLine(reason)}`}`,
    `  changed  ${changed.map(visibleLine).join(', ') || 'nothing'}`,
    `  spent    ${spent.in} tokens in, ${spent.out} out${spent.usd > 0 ? `, $${spent.usd.toFixed(4)}` : ''}, ${formatElapsed(ms)}`,
    ...(version === null ? [] : [`  version  ${visibleLine(version)}`]),
    ...(model === null ? [] : [`  model    ${visibleLine(model)}`]),
  ].join('\n');
}
