import type { ExitCode } from '#schema/exit-codes.ts';
import { decisionIn } from './args/decides.ts';
import type { Globals } from './args/globals.ts';
import type { Invocation, Run } from './args/invocation.ts';
import { parseCommandLine } from './args/parse.ts';
import type { CommandTable } from './args/table.ts';
import { agentsTable } from './commands/agents.table.ts';
import { artifactTable } from './commands/artifact.table.ts';
import { auditTable } from './commands/audit.table.ts';
import { backtestTable } from './commands/backtest.table.ts';
import { cacheTable } from './commands/cache.table.ts';
import { cancelTable } from './commands/cancel.table.ts';
import { challengeTable } from './commands/challenge.table.ts';
import { checkTable } from './commands/check.table.ts';
import { ciTable } from './commands/ci.table.ts';
import { compareTable } from './commands/compare.table.ts';
import { completionTable } from './commands/completion.table.ts';
import { contractTable } from './commands/contract.table.ts';
import { costTable } from './commands/cost.table.ts';
import { defectTable } from './commands/defect.table.ts';
import { doctorTable } from './commands/doctor.table.ts';
import { evidenceTable } from './commands/evidence.table.ts';
import { explainTable } from './commands/explain.table.ts';
import { forkTable } from './commands/fork.table.ts';
import { gatesTable } from './commands/gates.table.ts';
import { groundTable } from './commands/ground.table.ts';
import { guardianTable } from './commands/guardian.table.ts';
import { guidesTable } from './commands/guides.table.ts';
import { hooksTable } from './commands/hooks.table.ts';
import { initTable } from './commands/init.table.ts';
import { integrateTable } from './commands/integrate.table.ts';
import { logsTable } from './commands/logs.table.ts';
import { mcpTable } from './commands/mcp.table.ts';
import { memoryTable } from './commands/memory.table.ts';
import { planTable } from './commands/plan.table.ts';
import { pruneTable } from './commands/prune.table.ts';
import { questionsTable } from './commands/questions.table.ts';
import { rebuildTable } from './commands/rebuild.table.ts';
import { receiptTable } from './commands/receipt.table.ts';
import { replayTable } from './commands/replay.table.ts';
import { reportTable } from './commands/report.table.ts';
import { resumeTable } from './commands/resume.table.ts';
import { retryTable } from './commands/retry.table.ts';
import { reviewTable } from './commands/review.table.ts';
import { reworkTable } from './commands/rework.table.ts';
import { riskTable } from './commands/risk.table.ts';
import { rolesTable } from './commands/roles.table.ts';
import { rulesTable } from './commands/rules.table.ts';
import { runTable } from './commands/run.table.ts';
import { runsTable } from './commands/runs.table.ts';
import { secretsTable } from './commands/secrets.table.ts';
import { specTable } from './commands/spec.table.ts';
import { statusTable } from './commands/status.table.ts';
import { steerTable } from './commands/steer.table.ts';
import { stopTable } from './commands/stop.table.ts';
import { testsTable } from './commands/tests.table.ts';
import { triageTable } from './commands/triage.table.ts';
import { uiTable } from './commands/ui.table.ts';
import { undoTable } from './commands/undo.table.ts';
import { verifyTable } from './commands/verify.table.ts';
import { versionTable } from './commands/version.table.ts';
import { whyTable } from './commands/why.table.ts';
import { workflowTable } from './commands/workflow.table.ts';

type Surroundings = Pick<Invocation, 'cwd' | 'env' | 'terminal' | 'onInterrupt' | 'decision'>;

interface Command {
  readonly table: CommandTable;
  /** Parses the words after the command's name; the result runs the command. */
  parse(words: readonly string[]): {
    globals: Globals;
    /** What of it only a person may decide; null: nothing. */
    decides: string | null;
    run(surroundings: Surroundings): Promise<ExitCode>;
  };
}

/** Loads the implementation when it runs, so that no command pays for the others. */
function command<const Table extends CommandTable>(
  table: Table,
  load: () => Promise<{ run: Run<Table> }>,
): Command {
  return {
    table,
    parse(words) {
      const parsed = parseCommandLine(table, words);
      return {
        globals: parsed.globals,
        decides: decisionIn(table, parsed),
        run: async (surroundings) => (await load()).run({ ...parsed, ...surroundings }),
      };
    },
  };
}

interface CommandGroup {
  /** Heading in the overview. */
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Every command, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Prove that branches fit',
    commands: [
      command(checkTable, () => import('./commands/check.ts')),
      command(ciTable, () => import('./commands/ci.ts')),
      command(replayTable, () => import('./commands/replay.ts')),
      command(backtestTable, () => import('./commands/backtest.ts')),
      command(contractTable, () => import('./commands/contract.ts')),
      command(explainTable, () => import('./commands/explain.ts')),
      command(rulesTable, () => import('./commands/rules.ts')),
    ],
  },
  {
    title: 'Plan',
    commands: [
      command(specTable, () => import('./commands/spec.ts')),
      command(planTable, () => import('./commands/plan.ts')),
      command(verifyTable, () => import('./commands/verify.ts')),
      command(guardianTable, () => import('./commands/guardian.ts')),
      command(challengeTable, () => import('./commands/challenge.ts')),
      command(defectTable, () => import('./commands/defect.ts')),
      command(rolesTable, () => import('./commands/roles.ts')),
    ],
  },
  {
    title: 'Run a crew',
    commands: [
      command(runTable, () => import('./commands/run.ts')),
      command(statusTable, () => import('./commands/status.ts')),
      command(runsTable, () => import('./commands/runs.ts')),
      command(reportTable, () => import('./commands/report.ts')),
      command(logsTable, () => import('./commands/logs.ts')),
      command(artifactTable, () => import('./commands/artifact.ts')),
      command(whyTable, () => import('./commands/why.ts')),
      command(costTable, () => import('./commands/cost.ts')),
      command(questionsTable, () => import('./commands/questions.ts')),
      command(resumeTable, () => import('./commands/resume.ts')),
      command(retryTable, () => import('./commands/retry.ts')),
      command(steerTable, () => import('./commands/steer.ts')),
      command(stopTable, () => import('./commands/stop.ts')),
      command(reworkTable, () => import('./commands/rework.ts')),
      command(forkTable, () => import('./commands/fork.ts')),
      command(compareTable, () => import('./commands/compare.ts')),
      command(cancelTable, () => import('./commands/cancel.ts')),
      command(rebuildTable, () => import('./commands/rebuild.ts')),
      command(pruneTable, () => import('./commands/prune.ts')),
      command(uiTable, () => import('./commands/ui.ts')),
      command(hooksTable, () => import('./commands/hooks.ts')),
    ],
  },
  {
    title: 'Follow a workflow',
    commands: [
      command(workflowTable, () => import('./commands/workflow.ts')),
      command(mcpTable, () => import('./commands/mcp.ts')),
    ],
  },
  {
    title: 'Land',
    commands: [
      command(integrateTable, () => import('./commands/integrate.ts')),
      command(receiptTable, () => import('./commands/receipt.ts')),
      command(undoTable, () => import('./commands/undo.ts')),
    ],
  },
  {
    title: 'Prove work',
    commands: [
      command(gatesTable, () => import('./commands/gates.ts')),
      command(evidenceTable, () => import('./commands/evidence.ts')),
      command(groundTable, () => import('./commands/ground.ts')),
      command(auditTable, () => import('./commands/audit.ts')),
      command(reviewTable, () => import('./commands/review.ts')),
      command(riskTable, () => import('./commands/risk.ts')),
      command(testsTable, () => import('./commands/tests.ts')),
      command(secretsTable, () => import('./commands/secrets.ts')),
      command(guidesTable, () => import('./commands/guides.ts')),
      command(triageTable, () => import('./commands/triage.ts')),
      command(memoryTable, () => import('./commands/memory.ts')),
    ],
  },
  {
    title: 'Set up',
    commands: [
      command(initTable, () => import('./commands/init.ts')),
      command(agentsTable, () => import('./commands/agents.ts')),
      command(doctorTable, () => import('./commands/doctor.ts')),
      command(cacheTable, () => import('./commands/cache.ts')),
      command(completionTable, () => import('./commands/completion.ts')),
      command(versionTable, () => import('./commands/version.ts')),
    ],
  },
];

export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands);
