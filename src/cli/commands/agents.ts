import { listAgentsHere, tryAgentHere } from '#app/setup/agents-here.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { toNumber } from '#cli/args/to-number.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderAgents, renderTry } from '#report/setup/agents.ts';
import { formatElapsed } from '#report/text/figures.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { agentsTable } from './agents.table.ts';

type AgentsInvocation = Invocation<typeof agentsTable>;

export const run: Run<typeof agentsTable> = (invocation) => {
  const [action = 'list', name] = invocation.positionals;
  return action === 'try' ? tryOne(invocation, name) : list(invocation, name);
};

async function list(invocation: AgentsInvocation, name: string | undefined): Promise<ExitCode> {
  const { globals, terminal, env, options } = invocation;
  if (name !== undefined)
    throw usage('no-try', `all agents are listed, not ${name} alone`, `joinery agents try ${name}`);
  if (options.model !== undefined)
    throw usage('no-try', '--model is for a try', `joinery agents try <agent> --model ${options.model}`);
  const report = await listAgentsHere(invocation);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderAgents(report, pageOf(terminal, env)));
  return exitCodes.ok;
}

async function tryOne(invocation: AgentsInvocation, name: string | undefined): Promise<ExitCode> {
  const { globals, terminal, env, options, onInterrupt } = invocation;
  if (name === undefined) throw usage('no-agent', 'which agent?', 'joinery agents lists them');
  const seconds = toNumber(options.timeout);
  if (typeof seconds !== 'number' || seconds <= 0)
    throw usage('bad-timeout', `--timeout: ${options.timeout} is not a number of seconds`, '--timeout 300');
  const stop = new AbortController();
  const isQuiet = globals.quiet || globals.json;
  const trying = tryAgentHere(invocation, {
    name,
    model: options.model ?? null,
    wallMs: Math.ceil(seconds * 1000),
    signal: stop.signal,
    tell(line) {
      if (isQuiet) return;
      terminal.settle();
      process.stderr.write(`${line}\n`);
    },
  });
  // Programs take seconds to start, and models take seconds to answer.
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
    else terminal.print(renderTry(report, pageOf(terminal, env)));
    return report.isDone ? exitCodes.ok : exitCodes.findings;
  } finally {
    clearInterval(clock);
    terminal.settle();
    forget();
  }
}

function usage(code: string, message: string, hint: string): UsageError {
  return new UsageError({ code, message, hint });
}
