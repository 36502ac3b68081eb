import type { ExitCode } from '#schema/exit-codes.ts';
import type { Globals } from './args/globals.ts';
import type { Invocation, Run } from './args/invocation.ts';
import { parseCommandLine } from './args/parse.ts';
import type { CommandTable } from './args/table.ts';
import { agentsTable } from './commands/agents.table.ts';
import { cacheTable } from './commands/cache.table.ts';
import { cancelTable } from './commands/cancel.table.ts';
import { checkTable } from './commands/check.table.ts';
import { costTable } from './commands/cost.table.ts';
import { defectTable } from './commands/defect.table.ts';
import { doctorTable } from './commands/doctor.table.ts';
import { evidenceTable } from './commands/evidence.table.ts';
import { explainTable } from './commands/explain.table.ts';
import { gatesTable } from './commands/gates.table.ts';
import { groundTable } from './commands/ground.table.ts';
import { guardianTable } from './commands/guardian.table.ts';
import { initTable } from './commands/init.table.ts';
import { integrateTable } from './commands/integrate.table.ts';
import { logsTable } from './commands/logs.table.ts';
import { planTable } from './commands/plan.table.ts';
import { pruneTable } from './commands/prune.table.ts';
import { questionsTable } from './commands/questions.table.ts';
import { rebuildTable } from './commands/rebuild.table.ts';
import { receiptTable } from './commands/receipt.table.ts';
import { replayTable } from './commands/replay.table.ts';
import { resumeTable } from './commands/resume.table.ts';
import { retryTable } from './commands/retry.table.ts';
import { rolesTable } from './commands/roles.table.ts';
import { rulesTable } from './commands/rules.table.ts';
import { runTable } from './commands/run.table.ts';
import { runsTable } from './commands/runs.table.ts';
import { specTable } from './commands/spec.table.ts';
import { statusTable } from './commands/status.table.ts';
import { undoTable } from './commands/undo.table.ts';
import { verifyTable } from './commands/verify.table.ts';
import { versionTable } from './commands/version.table.ts';
import { whyTable } from './commands/why.table.ts';

type Surroundings = Pick<Invocation, 'cwd' | 'env' | 'terminal' | 'onInterrupt'>;

interface Command {
  readonly table: CommandTable;
  /** Reads the words behind the command's name; what it returns runs the command. */
  parse(words: readonly string[]): { globals: Globals; run(surroundings: Surroundings): Promise<ExitCode> };
}

/** The implementation is loaded when it runs, so that no command pays for the others. */
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
      command(replayTable, () => import('./commands/replay.ts')),
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
      command(logsTable, () => import('./commands/logs.ts')),
      command(whyTable, () => import('./commands/why.ts')),
      command(costTable, () => import('./commands/cost.ts')),
      command(questionsTable, () => import('./commands/questions.ts')),
      command(resumeTable, () => import('./commands/resume.ts')),
      command(retryTable, () => import('./commands/retry.ts')),
      command(cancelTable, () => import('./commands/cancel.ts')),
      command(rebuildTable, () => import('./commands/rebuild.ts')),
      command(pruneTable, () => import('./commands/prune.ts')),
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
    ],
  },
  {
    title: 'Set up',
    commands: [
      command(initTable, () => import('./commands/init.ts')),
      command(agentsTable, () => import('./commands/agents.ts')),
      command(doctorTable, () => import('./commands/doctor.ts')),
      command(cacheTable, () => import('./commands/cache.ts')),
      command(versionTable, () => import('./commands/version.ts')),
    ],
  },
];

export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands);
