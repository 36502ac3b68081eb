import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { renderCommandsPage, tableOf } from '#cli/args/commands-page.ts';
import { renderHelp, renderOverview } from '#cli/args/help.ts';
import { commandGroups, commands } from '#cli/commands.ts';
import { Config } from '#config/settings.ts';
import { configSettings } from '#config/shape.ts';
import { configVariables } from '#config/variables.ts';
import { readOwnPackage } from '#process/own-package.ts';
import { AgentsReport, TryReport } from '#schema/agents-report.ts';
import { CheckReport } from '#schema/check-report.ts';
import {
  CacheReport,
  DoctorReport,
  InitReport,
  RulesReport,
  VersionReport,
} from '#schema/command-reports.ts';
import { Contract } from '#schema/contract.ts';
import { CostReport } from '#schema/cost-report.ts';
import { DefectReport } from '#schema/defect.ts';
import { ErrorEnvelope } from '#schema/error-envelope.ts';
import { RunEventSchema } from '#schema/event.ts';
import { Evidence, EvidenceCheckReport, EvidenceRunReport, GatesReport } from '#schema/gates.ts';
import { GroundReport } from '#schema/grounding.ts';
import { Handoff } from '#schema/handoff.ts';
import { IntegrationReport, Receipt, ReceiptReport, UndoReport } from '#schema/integration.ts';
import { Plan } from '#schema/plan.ts';
import {
  GuardianReport,
  PlanInitReport,
  PlanReport,
  RolesReport,
  SpecAudit,
  SpecNewReport,
  VerifyReport,
} from '#schema/planning.ts';
import { ReplayReport } from '#schema/replay.ts';
import { PruneReport, QuestionsReport, RebuildReport, RunReport, RunsReport } from '#schema/run.ts';
import { Scenario } from '#schema/scenario.ts';
import { WhyReport } from '#schema/why-report.ts';
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
  defect: DefectReport,
  doctor: DoctorReport,
  error: ErrorEnvelope,
  event: RunEventSchema,
  ground: GroundReport,
  evidence: Evidence,
  'evidence-check': EvidenceCheckReport,
  'evidence-run': EvidenceRunReport,
  gates: GatesReport,
  guardian: GuardianReport,
  handoff: Handoff,
  init: InitReport,
  plan: Plan,
  integrate: IntegrationReport,
  'plan-init': PlanInitReport,
  planning: PlanReport,
  prune: PruneReport,
  receipt: Receipt,
  'receipt-check': ReceiptReport,
  undo: UndoReport,
  questions: QuestionsReport,
  rebuild: RebuildReport,
  roles: RolesReport,
  rules: RulesReport,
  run: RunReport,
  runs: RunsReport,
  scenario: Scenario,
  'spec-audit': SpecAudit,
  'spec-new': SpecNewReport,
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
  const groups = commandGroups.map((group) => ({
    title: group.title,
    tables: group.commands.map(({ table }) => table),
  }));
  return new Map([
    ['bin/help/joinery.txt', renderOverview(groups, readOwnPackage().description)],
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
