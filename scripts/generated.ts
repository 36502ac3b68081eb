import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { commands } from '../src/cli/commands.ts';
import { renderCommandsPage, tableOf } from '../src/cli/commands-page.ts';
import { renderHelp, renderOverview } from '../src/cli/help.ts';
import { readOwnPackage } from '../src/cli/own-package.ts';
import { AgentsReport, TryReport } from '../src/model/agents-report.ts';
import { CheckReport } from '../src/model/check-report.ts';
import {
  CacheReport,
  DoctorReport,
  InitReport,
  RulesReport,
  VersionReport,
} from '../src/model/command-reports.ts';
import { Config } from '../src/model/config.ts';
import { configSettings } from '../src/model/config-shape.ts';
import { configVariables } from '../src/model/config-variables.ts';
import { CostReport } from '../src/model/cost-report.ts';
import { ErrorEnvelope } from '../src/model/error-envelope.ts';
import { RunEventSchema } from '../src/model/event.ts';
import { Evidence, EvidenceCheckReport, EvidenceRunReport, GatesReport } from '../src/model/gates.ts';
import { GroundReport } from '../src/model/grounding.ts';
import { Handoff } from '../src/model/handoff.ts';
import { Plan } from '../src/model/plan.ts';
import { ReplayReport } from '../src/model/replay.ts';
import { PruneReport, QuestionsReport, RebuildReport, RunReport, RunsReport } from '../src/model/run.ts';
import { Scenario } from '../src/model/scenario.ts';
import { WhyReport } from '../src/model/why-report.ts';
import { Contract } from '../src/schema/contract.ts';
import { PlanReport, VerifyReport } from '../src/schema/planning.ts';
import { root } from './root.ts';

/** Published as `schemas/<name>.schema.json`. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  agents: AgentsReport,
  'agent-try': TryReport,
  cache: CacheReport,
  check: CheckReport,
  config: Config,
  contract: Contract,
  cost: CostReport,
  doctor: DoctorReport,
  error: ErrorEnvelope,
  event: RunEventSchema,
  ground: GroundReport,
  evidence: Evidence,
  'evidence-check': EvidenceCheckReport,
  'evidence-run': EvidenceRunReport,
  gates: GatesReport,
  handoff: Handoff,
  init: InitReport,
  plan: Plan,
  planning: PlanReport,
  prune: PruneReport,
  questions: QuestionsReport,
  rebuild: RebuildReport,
  rules: RulesReport,
  run: RunReport,
  runs: RunsReport,
  scenario: Scenario,
  replay: ReplayReport,
  verify: VerifyReport,
  version: VersionReport,
  why: WhyReport,
};

/** Folders in which nothing else may lie. */
export const generatedFolders = ['bin/help', 'schemas'];

/** Every file that is made from the sources, by its path from the top of the repository. */
export function generateFiles(): Map<string, string> {
  const tables = commands.map(({ table }) => table);
  return new Map([
    ['bin/help/joinery.txt', renderOverview(tables, readOwnPackage().description)],
    ...tables.map((table) => [`bin/help/${table.name}.txt`, renderHelp(table)] as const),
    ['docs/commands.md', renderCommandsPage(tables)],
    ['docs/config.md', withSettingsTable(readFileSync(`${root}docs/config.md`, 'utf8'))],
    ...Object.entries(schemas).map(
      ([name, schema]) => [`schemas/${name}.schema.json`, jsonSchema(schema)] as const,
    ),
  ]);
}

/** What people write is described as they write it, reports as they are printed. */
const inputs: ReadonlySet<z.ZodType> = new Set([Config, Contract, Plan, Scenario]);

function jsonSchema(schema: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(schema, { io: inputs.has(schema) ? 'input' : 'output' }), null, 2)}\n`;
}

function withSettingsTable(page: string): string {
  const rows = configSettings().map(({ key, shape }) => [
    `\`${key}\``,
    shape.enum ? shape.enum.map((value) => `\`"${value}"\``).join(', ') : (shape.type ?? ''),
    shape.default === undefined ? '' : `\`${JSON.stringify(shape.default)}\``,
    key in configVariables ? `\`${configVariables[key as keyof typeof configVariables]}\`` : '',
    shape.description ?? '',
  ]);
  const table = tableOf(['Key', 'Value', 'Default', 'Variable', 'Meaning'], rows);
  return page.replace(
    /(<!-- settings: .*? -->\n).*?(\n<!-- end of settings -->)/s,
    (_all, start: string, end: string) => `${start}\n${table}\n${end}`,
  );
}
