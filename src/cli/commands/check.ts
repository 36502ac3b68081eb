import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type CheckAnswer, type CheckWishes, checkHere } from '#app/checks/check-here.ts';
import { ownVersion } from '#app/workplace/version.ts';
import { acceptancesOf } from '#cli/args/acceptances.ts';
import { flagsOf } from '#cli/args/flags.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { tellerOf } from '#cli/terminal/tell.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { exitCodeOf } from '#schema/verdict.ts';
import { checkTable } from './check.table.ts';
import { describeCost } from './check-cost.ts';
import { type Opinion, opinionOf } from './check-opinion.ts';

type CheckInvocation = Invocation<typeof checkTable>;

export const run: Run<typeof checkTable> = async (invocation) => {
  const { options, positionals, terminal, globals } = invocation;
  const wishes = {
    names: positionals,
    hasBase: options.base !== undefined,
    against: options.against,
    flags: flagsOf(checkTable, options),
    newest: countOf(options.newest),
    accept: acceptancesOf(options.accept),
    wantsRisk: options.risk === true,
    sandbox: options.sandbox,
    mayRunCode: true,
  };
  if (options.watch) {
    const { runWatch } = await import('./check-watch.ts');
    return runWatch(invocation, wishes);
  }
  const opinion = opinionOf(options);
  if (opinion?.by === 'prompt') {
    const { promptHere } = await import('#app/opinion/check-with-opinion.ts');
    const asked = await promptHere(invocation, wishes, opinion.material);
    terminal.settle();
    if (globals.json || options.format === 'json') terminal.printJson(asked);
    else terminal.print(asked.text);
    return exitCodes.ok;
  }
  const answer = opinion
    ? await checkWithOpinion(invocation, wishes, opinion)
    : await checkHere(invocation, wishes);
  terminal.settle();
  if (answer.demandsTypes && answer.checkerRuns > 0) terminal.note(describeCheckers(answer));
  if (options.stats) process.stderr.write(`${describeCost(answer)}\n`);
  terminal.print(await render(answer, invocation));
  const code = exitCodeOf(answer.report.status);
  if (!options.ui) return code;
  const { serveWindow } = await import('./ui.ts');
  return serveWindow(invocation, { host: '127.0.0.1', port: 0, page: '/seams', opens: undefined, code });
};

/** null: all branches. */
function countOf(typed: string): number | null {
  if (typed === 'all') return null;
  const count = Number(typed);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new UsageError({
    code: 'bad-newest',
    message: `--newest ${JSON.stringify(typed)} is not a number of branches`,
    hint: 'joinery check --newest 500, or --newest all',
  });
}

type Asked = Exclude<Opinion, null | { readonly by: 'prompt' }>;

/** Loads the agents only if one is asked. */
async function checkWithOpinion(
  invocation: CheckInvocation,
  wishes: CheckWishes,
  opinion: Asked,
): Promise<CheckAnswer> {
  const { checkWithAgent, checkWithAnswer } = await import('#app/opinion/check-with-opinion.ts');
  if (opinion.by === 'report') return checkWithAnswer(invocation, wishes, opinion.material, opinion.file);
  const { agent, scenario, material } = opinion;
  return checkWithAgent(invocation, wishes, material, { agent, scenario, tell: tellerOf(invocation) });
}

function describeCheckers({ checkerRuns, checkerSeconds }: CheckAnswer): string {
  const runs = checkerRuns === 1 ? '1 run' : `${checkerRuns} runs`;
  return `type checkers: ${runs}, ${checkerSeconds.toFixed(1)} s of CPU time`;
}

/** Loads only the requested format. */
async function render(answer: CheckAnswer, invocation: CheckInvocation): Promise<string> {
  const { options, globals, env } = invocation;
  const { report, frames, isBare, passedOver } = answer;
  switch (globals.json ? 'json' : options.format) {
    case 'json': {
      const { renderJson } = await import('#report/text/json.ts');
      return renderJson(report);
    }
    case 'sarif': {
      const { renderSarif } = await import('#report/check/sarif.ts');
      return renderSarif(report, { version: ownVersion() });
    }
    case 'github': {
      const { renderGithub, renderGithubSummary } = await import('#report/check/github.ts');
      if (env.GITHUB_STEP_SUMMARY)
        appendSummary(env.GITHUB_STEP_SUMMARY, renderGithubSummary(report, frames), invocation.terminal);
      return renderGithub(report);
    }
    case 'codequality': {
      const { renderCodeQuality } = await import('#report/check/codequality.ts');
      return renderCodeQuality(report);
    }
    case 'markdown': {
      const { renderMarkdown } = await import('#report/check/markdown.ts');
      return renderMarkdown(report, frames);
    }
    case 'html': {
      const { checkViewOf, renderHtml } = await import('#report/check/html.ts');
      const { pageParts } = await import('#app/window/web-folder.ts');
      const view = checkViewOf(report, frames, new Date(), basename(invocation.cwd));
      return renderHtml(view, await pageParts(invocation.terminal.progress));
    }
    case 'junit': {
      const { renderJunit } = await import('#report/check/junit.ts');
      return renderJunit(report);
    }
    case 'terminal': {
      const { terminal } = invocation;
      const page = pageOf(terminal, env);
      const { renderTerminal } = await import('#report/check/terminal.ts');
      const verbose = globals.verbose === true;
      return renderTerminal(report, frames, { ...page, verbose, isBare, passedOver });
    }
  }
}

/** If the summary cannot be written, annotations and verdict are still printed. */
function appendSummary(file: string, text: string, terminal: CheckInvocation['terminal']): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    terminal.warn(`the step summary cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}
