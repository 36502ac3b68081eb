import { runGates } from '../../evidence/gates/run-gates.ts';
import { UsageError } from '../../model/errors.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import type { GateResult, GatesReport } from '../../model/gates.ts';
import { renderGates, renderGatesJunit } from '../../report/gates.ts';
import { paintWith } from '../../report/paint.ts';
import { type EvidenceRoom, withEvidence } from '../evidence-room.ts';
import type { Invocation, Run } from '../invocation.ts';
import { pageOf } from '../page.ts';
import { createPaint, wantsColour } from '../paint.ts';
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
    const gates = await runGates(room.gates(mode), { place, baseline, progress: terminal.progress });
    const report: GatesReport = {
      schema: 'joinery/gates@1',
      status: statusOf(gates),
      mode,
      base: definitions.commit,
      file: definitions.file,
      worktree: place.worktree.path,
      run: place.run,
      task: place.task,
      gates,
    };
    terminal.settle();
    print(report, invocation);
    return codes[report.status];
  });
};

function statusOf(gates: readonly GateResult[]): GatesReport['status'] {
  if (gates.some(({ status }) => status === 'fail')) return 'fail';
  return gates.some(({ status }) => status === 'inconclusive' || status === 'skipped')
    ? 'inconclusive'
    : 'pass';
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
    process.stderr.write(`${renderGates(report, { ...pageOf(terminal, env), paint })}\n`);
  }
}

function noGates({ definitions: { commit } }: EvidenceRoom): UsageError {
  return new UsageError({
    code: 'no-gates',
    message: `commit ${commit.slice(0, 12)} defines no gates`,
    hint: 'write a section "## Quality Gates" with a line "- lint: `<command>`" into AGENTS.md and commit it, or name another commit: --base <rev>',
  });
}
