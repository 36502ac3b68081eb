import { type EvidenceRoom, withEvidence } from '#app/evidence-room.ts';
import { thisHost } from '#app/host.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { createPaint, wantsColour } from '#cli/terminal/paint.ts';
import { overallStatus } from '#gates/run/findings.ts';
import { runGates } from '#gates/run/run-gates.ts';
import { checkSyntax } from '#gates/run/syntax.ts';
import { groundBranch } from '#grounding/ground-branch.ts';
import { renderGates, renderGatesJunit } from '#report/gates/gates.ts';
import { paintWith } from '#report/text/paint.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { GatesReport } from '#schema/gates.ts';
import { cacheDir } from '#schema/paths.ts';
import type { gatesTable } from './gates.table.ts';

const codes = { pass: exitCodes.ok, fail: exitCodes.findings, inconclusive: exitCodes.needsPerson };

export const run: Run<typeof gatesTable> = (invocation) => {
  const { options, terminal } = invocation;
  if (options.fast && options.full) {
    throw new UsageError({
      code: 'two-modes',
      message: '--fast and --full exclude each other',
      hint: 'joinery gates --full',
    });
  }
  return withEvidence(invocation, options, async (room) => {
    const { definitions, place, baseline } = room;
    if (definitions.gates.length === 0) throw noGates(room);
    const mode = options.full ? 'full' : 'fast';
    const grounded = mode === 'full' ? await groundOf(room, invocation) : null;
    const isGrounded = grounded?.status !== 'fail';
    const syntax = await checkSyntax(room.scratch.git, room.changes);
    const wanted = isGrounded ? room.gates(mode) : [];
    const gates = await runGates(wanted, {
      place,
      baseline,
      progress: terminal.progress,
    });
    const report: GatesReport = {
      schema: 'joinery/gates@1',
      status: isGrounded && syntax.status === 'pass' ? overallStatus(gates) : 'fail',
      mode,
      base: definitions.commit,
      file: definitions.file,
      worktree: place.worktree.path,
      run: place.run,
      task: place.task,
      ground: grounded,
      syntax,
      gates,
    };
    terminal.settle();
    print(report, invocation);
    return codes[report.status];
  });
};

/** The work of a task is grounded first, as it will be when the agent hands in. */
async function groundOf(
  { repository, place, baseline, declared }: EvidenceRoom,
  { env, terminal }: Invocation<typeof gatesTable>,
): Promise<GatesReport['ground']> {
  if (place.task === null) return null;
  terminal.progress('reading the work');
  const { status, checks } = await groundBranch({
    repository,
    branch: place.worktree.path,
    base: baseline.commit,
    files: declared,
    assignment: null,
    cacheDir: cacheDir(thisHost(env)),
  });
  const findings = checks.flatMap((check) => check.findings);
  return {
    status,
    findings: findings.map(({ check, severity, message, hint }) => ({ check, severity, message, hint })),
  };
}

function print(
  report: GatesReport,
  { options, globals, terminal, env }: Invocation<typeof gatesTable>,
): void {
  if (globals.json || options.format === 'json') terminal.printJson(report);
  else if (options.format === 'junit') terminal.print(renderGatesJunit(report));
  else {
    const refused = globals['no-color'] === true;
    const paint = paintWith(createPaint(wantsColour({ env, isTTY: process.stderr.isTTY, refused })));
    const page = pageOf(terminal, env);
    // An agent reads this too: no line is broken unless a person looks on.
    const width = process.stderr.isTTY || env.COLUMNS ? page.width : Number.POSITIVE_INFINITY;
    process.stderr.write(`${renderGates(report, { ...page, width, paint })}\n`);
  }
}

function noGates({ definitions: { commit } }: EvidenceRoom): UsageError {
  return new UsageError({
    code: 'no-gates',
    message: `commit ${commit.slice(0, 12)} defines no gates`,
    hint: 'write a section "## Quality Gates" with a line "- lint: `<command>`" into AGENTS.md and commit it, or name another commit: --base <rev>',
  });
}
