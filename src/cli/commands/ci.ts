import { appendFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openForge } from '#app/ci/open-forge.ts';
import { type CiAnswer, runInCi } from '#app/ci/run-in-ci.ts';
import { ownVersion } from '#app/workplace/version.ts';
import { flagsOf } from '#cli/args/flags.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { redactorOf } from '#lib/redact.ts';
import { visible } from '#lib/visible.ts';
import { renderCodeQuality } from '#report/check/codequality.ts';
import { pullHeadline } from '#report/check/comment.ts';
import { renderGithub, renderGithubSummary } from '#report/check/github.ts';
import { renderSarif } from '#report/check/sarif.ts';
import { renderTerminal } from '#report/check/terminal.ts';
import { printJson } from '#report/text/json.ts';
import { EnvironmentError, isJoineryError, type JoineryError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { exitCodeOf } from '#schema/verdict.ts';
import { ciTable } from './ci.table.ts';

type CiInvocation = Invocation<typeof ciTable>;

export const run: Run<typeof ciTable> = async (invocation) => {
  const { positionals, options, globals, terminal, env } = invocation;
  const [name, ...refs] = positionals;
  const { forge, secrets } = openForge(name === 'gitlab' ? 'gitlab' : 'github', env);
  const redact = redactorOf(secrets);
  try {
    const answer = await runInCi(invocation, forge, {
      refs,
      base: options.base,
      flags: flagsOf(ciTable, options),
      mode: options.mode,
      wantsComment: options['no-comment'] !== true,
      wantsSarif: options['upload-sarif'] === true,
    });
    terminal.settle();
    writeFiles(answer, invocation, redact);
    terminal.print(redact(globals.json ? printJson(answer.report) : render(answer, invocation)));
    return options.mode === 'audit' ? exitCodes.ok : exitCodeOf(answer.report.status);
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    // Messages of an API or of git may contain anything; the printed text never contains the token.
    error.message = redact(error.message);
    if (error.exitCode !== exitCodes.needsPerson || options.mode === 'enforce') throw error;
    terminal.settle();
    terminal.print(redact(describeFailure(error, invocation)));
    return exitCodes.ok;
  }
};

/** A report that could not be made is not a clean one, even if the job does not fail. */
function describeFailure(
  { message, hint, code }: JoineryError,
  { globals, positionals }: CiInvocation,
): string {
  if (globals.json)
    return printJson({ schema: 'joinery/error@1', status: 'error', error: { code, message, hint } });
  const said = visible(`inconclusive: ${message}. Next: ${hint}`);
  return positionals[0] === 'github'
    ? `::warning title=joinery%3A inconclusive::${said.replaceAll('%', '%25')}\njoinery: ${said}`
    : `joinery: ${said}`;
}

function render({ report, frames, page }: CiAnswer, invocation: CiInvocation): string {
  const { terminal, env, globals } = invocation;
  const notes = report.notes.map((note) => `joinery: ${visible(note)}`);
  const title = pullHeadline(report.check, page);
  const said = [`joinery: comment ${report.comment}, ${report.pulls.length} open ${page.noun}s`, ...notes];
  const body =
    report.forge === 'github'
      ? renderGithub(report.check, { branch: report.subject, title })
      : `${renderTerminal(report.check, frames, { ...pageOf(terminal, env), verbose: globals.verbose === true })}\njoinery: ${visible(title)}\n`;
  return `${body}${said.join('\n')}\n`;
}

/** Files for later steps of the job: the requested reports, and the page that GitHub shows. */
function writeFiles(
  { report, frames, page }: CiAnswer,
  { options, cwd, env }: CiInvocation,
  redact: (text: string) => string,
): void {
  const { check, subject, forge } = report;
  try {
    if (options.sarif)
      writeFileSync(resolve(cwd, options.sarif), redact(renderSarif(check, { version: ownVersion() })));
    const quality = options['code-quality'];
    if (quality) writeFileSync(resolve(cwd, quality), redact(renderCodeQuality(check, { branch: subject })));
    if (forge === 'github' && env.GITHUB_STEP_SUMMARY)
      appendFileSync(
        env.GITHUB_STEP_SUMMARY,
        redact(renderGithubSummary(check, frames, pullHeadline(check, page))),
      );
  } catch (cause) {
    throw new EnvironmentError({
      code: 'unwritable-report',
      message: `a report cannot be written: ${cause instanceof Error ? cause.message : cause}`,
      hint: 'name a file in a folder that exists',
      cause,
    });
  }
}
