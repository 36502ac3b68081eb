import { appendFileSync } from 'node:fs';
import { type CheckAnswer, checkHere } from '#app/checks/check-here.ts';
import { ownVersion } from '#app/workplace/version.ts';
import { flagsOf } from '#cli/args/flags.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { checkTable } from './check.table.ts';

type CheckInvocation = Invocation<typeof checkTable>;

export const run: Run<typeof checkTable> = async (invocation) => {
  const { options, positionals, terminal } = invocation;
  const answer = await checkHere(invocation, {
    names: positionals,
    hasBase: options.base !== undefined,
    against: options.against,
    flags: flagsOf(checkTable, options),
  });
  terminal.settle();
  if (answer.demandsTypes && answer.checkerRuns > 0) terminal.note(describeCheckers(answer));
  if (options.stats) process.stderr.write(`${describeCost(answer)}\n`);
  terminal.print(await render(answer, invocation));
  return exitCodeOf(answer);
};

function describeCheckers({ checkerRuns, checkerSeconds }: CheckAnswer): string {
  const runs = checkerRuns === 1 ? '1 run' : `${checkerRuns} runs`;
  return `type checkers: ${runs}, ${checkerSeconds.toFixed(1)} s of CPU time`;
}

function describeCost({ isKnown, reads, checkerRuns, seconds }: CheckAnswer): string {
  if (isKnown) return `${seconds.toFixed(2)} s, the report was in the cache`;
  return `${seconds.toFixed(2)} s, ${reads.extracted} files parsed, ${reads.cached} from the cache, ${checkerRuns} checker runs`;
}

/** Only the format that is asked for is loaded. */
async function render({ report, frames }: CheckAnswer, invocation: CheckInvocation): Promise<string> {
  const { options, globals, env } = invocation;
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
    case 'markdown': {
      const { renderMarkdown } = await import('#report/check/markdown.ts');
      return renderMarkdown(report, frames);
    }
    case 'junit': {
      const { renderJunit } = await import('#report/check/junit.ts');
      return renderJunit(report);
    }
    case 'terminal': {
      const { terminal } = invocation;
      const page = pageOf(terminal, env);
      const { renderTerminal } = await import('#report/check/terminal.ts');
      return renderTerminal(report, frames, { ...page, verbose: globals.verbose === true });
    }
  }
}

/** A summary that cannot be written does not take the annotations and the verdict with it. */
function appendSummary(file: string, text: string, terminal: CheckInvocation['terminal']): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    terminal.warn(`the step summary cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}

function exitCodeOf({ report, isStrict }: CheckAnswer): ExitCode {
  if (report.status === 'fail') return exitCodes.findings;
  if (isStrict && report.findings.some(({ severity }) => severity === 'important')) return exitCodes.findings;
  return report.status === 'inconclusive' ? exitCodes.needsPerson : exitCodes.ok;
}
