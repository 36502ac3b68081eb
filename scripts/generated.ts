import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { registry } from '#check/rules/registry.ts';
import type { Rule } from '#check/rules/rule.ts';
import { renderCommandsPage, tableOf } from '#cli/args/commands-page.ts';
import { renderCompletion, shells } from '#cli/args/completion.ts';
import { renderHelp, renderOverview } from '#cli/args/help.ts';
import { commandGroups, commands } from '#cli/commands.ts';
import { Config } from '#config/settings.ts';
import { configSettings } from '#config/shape.ts';
import { configVariables } from '#config/variables.ts';
import { readOwnPackage } from '#process/own-package.ts';
import { AgentsReport, TryReport } from '#schema/agents-report.ts';
import { ArtifactReport } from '#schema/artifact-report.ts';
import { AuditReport } from '#schema/audit.ts';
import { BacktestReport } from '#schema/backtest.ts';
import { ChallengeReport } from '#schema/challenge.ts';
import { CheckReport } from '#schema/check-report.ts';
import { CiReport } from '#schema/ci-report.ts';
import { ClaimsReport } from '#schema/claims-report.ts';
import {
  CacheReport,
  CompletionReport,
  DoctorReport,
  InitReport,
  RulesReport,
  VersionReport,
} from '#schema/command-reports.ts';
import { CompareReport } from '#schema/compare.ts';
import { Contract } from '#schema/contract.ts';
import {
  ContractDiffReport,
  ContractDraftReport,
  ContractReport,
  ContractStubsReport,
} from '#schema/contract-report.ts';
import { CostReport } from '#schema/cost-report.ts';
import { DefectReport } from '#schema/defect.ts';
import { ErrorEnvelope } from '#schema/error-envelope.ts';
import { RunEventSchema } from '#schema/event.ts';
import { FinalReport } from '#schema/final-report.ts';
import { Evidence, EvidenceCheckReport, EvidenceRunReport, GatesReport } from '#schema/gates.ts';
import { GroundReport } from '#schema/grounding.ts';
import { Handoff } from '#schema/handoff.ts';
import { HooksReport } from '#schema/hooks-report.ts';
import { Decisions, IntegrationReport, Receipt, ReceiptReport, UndoReport } from '#schema/integration.ts';
import { McpInstallReport } from '#schema/mcp-report.ts';
import { TrendReport } from '#schema/measures.ts';
import { MemoryReport } from '#schema/memory.ts';
import { CheckPromptReport } from '#schema/opinion.ts';
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
import { GapsReport, GuidesReport, IntegrityReport, RiskReport, SecretsReport } from '#schema/proof.ts';
import { ReplayReport } from '#schema/replay.ts';
import { ReviewReport } from '#schema/review.ts';
import type { RuleFacts } from '#schema/rules.ts';
import { PruneReport, QuestionsReport, RebuildReport, RunReport, RunsReport } from '#schema/run.ts';
import { Scenario } from '#schema/scenario.ts';
import { TriageFile, TriageReport } from '#schema/triage.ts';
import { WatchLine } from '#schema/watch-line.ts';
import { WhyReport } from '#schema/why-report.ts';
import { UiReport } from '#schema/window.ts';
import { Workflow } from '#schema/workflow.ts';
import {
  WorkflowListReport,
  WorkflowNewReport,
  WorkflowRunsReport,
  WorkflowSearchReport,
  WorkflowShowReport,
  WorkflowStatusReport,
  WorkflowValidateReport,
} from '#schema/workflow-reports.ts';
import { WorkflowAnswer } from '#schema/workflow-run.ts';
import { openApi } from '#server/http/openapi.ts';
import { alarmsTable, figuresOf, seededTable, withFigures } from './accuracy-tables.ts';
import { formatTable, languageTable } from './coverage-tables.ts';
import { withRoomGraph } from './room-graph.ts';
import { root } from './root.ts';

/** Published as `schemas/<name>.schema.json`. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  agents: AgentsReport,
  'agent-try': TryReport,
  artifact: ArtifactReport,
  audit: AuditReport,
  cache: CacheReport,
  check: CheckReport,
  'check-prompt': CheckPromptReport,
  'check-watch': WatchLine,
  ci: CiReport,
  completion: CompletionReport,
  config: Config,
  contract: Contract,
  'contract-check': ContractReport,
  'contract-diff': ContractDiffReport,
  'contract-draft': ContractDraftReport,
  'contract-stubs': ContractStubsReport,
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
  challenge: ChallengeReport,
  trend: TrendReport,
  handoff: Handoff,
  init: InitReport,
  claims: ClaimsReport,
  'hooks-install': HooksReport,
  'mcp-install': McpInstallReport,
  plan: Plan,
  integrate: IntegrationReport,
  decisions: Decisions,
  'plan-init': PlanInitReport,
  planning: PlanReport,
  prune: PruneReport,
  receipt: Receipt,
  'receipt-check': ReceiptReport,
  ui: UiReport,
  undo: UndoReport,
  questions: QuestionsReport,
  rebuild: RebuildReport,
  roles: RolesReport,
  rules: RulesReport,
  report: FinalReport,
  compare: CompareReport,
  run: RunReport,
  runs: RunsReport,
  guides: GuidesReport,
  memory: MemoryReport,
  review: ReviewReport,
  risk: RiskReport,
  scenario: Scenario,
  secrets: SecretsReport,
  'tests-gaps': GapsReport,
  'tests-integrity': IntegrityReport,
  triage: TriageFile,
  'triage-check': TriageReport,
  'spec-audit': SpecAudit,
  'spec-new': SpecNewReport,
  backtest: BacktestReport,
  replay: ReplayReport,
  verify: VerifyReport,
  version: VersionReport,
  why: WhyReport,
  workflow: Workflow,
  'workflow-answer': WorkflowAnswer,
  'workflow-list': WorkflowListReport,
  'workflow-new': WorkflowNewReport,
  'workflow-runs': WorkflowRunsReport,
  'workflow-search': WorkflowSearchReport,
  'workflow-show': WorkflowShowReport,
  'workflow-status': WorkflowStatusReport,
  'workflow-validate': WorkflowValidateReport,
};

/** Folders that contain only generated files. */
export const generatedFolders = ['bin/completion', 'bin/help', 'schemas'];

/** Every generated file, by its path from the top of the repository. */
export function generateFiles(): Map<string, string> {
  const tables = commands.map(({ table }) => table);
  const groups = commandGroups.map((group) => ({
    title: group.title,
    tables: group.commands.map(({ table }) => table),
  }));
  const rules: readonly Rule[] = Object.values(registry);
  return new Map([
    ['bin/help/joinery.txt', renderOverview(groups, readOwnPackage().description)],
    ...tables.map((table) => [`bin/help/${table.name}.txt`, renderHelp(table)] as const),
    ...shells.map((shell) => [`bin/completion/joinery.${shell}`, renderCompletion(shell, tables)] as const),
    ['docs/commands.md', renderCommandsPage(tables)],
    ['schemas/openapi.json', `${JSON.stringify(openApi(readOwnPackage().version), null, 2)}\n`],
    ['src/schema/rule-table.ts', ruleTable(rules)],
    ['docs/accuracy.md', withAccuracyTables(readFileSync(`${root}docs/accuracy.md`, 'utf8'), rules)],
    ...rules.map(({ id, name }) => {
      const path = `src/check/rules/${id.toLowerCase()}-${name}.ts`;
      return [path, withFigures(readFileSync(`${root}${path}`, 'utf8'), id)] as const;
    }),
    ['docs/architecture.md', withRoomGraph(readFileSync(`${root}docs/architecture.md`, 'utf8'))],
    ['docs/config.md', withSettingsTable(readFileSync(`${root}docs/config.md`, 'utf8'))],
    ...Object.entries(schemas).map(
      ([name, schema]) => [`schemas/${name}.schema.json`, jsonSchema(schema)] as const,
    ),
  ]);
}

/** The descriptions of the rules, for rooms that must not load a detector. */
function ruleTable(rules: readonly Rule[]): string {
  const facts = rules.map(
    ({
      id,
      name,
      category,
      severity,
      single,
      needsRisk,
      languages,
      precision,
      what,
      example,
      move,
    }): RuleFacts => ({
      ...{ id, name, category, severity, ...(single ? { single } : {}), ...(needsRisk ? { needsRisk } : {}) },
      ...{ languages, precision, ...figuresOf(id), what, example, move },
    }),
  );
  const table = Object.fromEntries(facts.map((each) => [each.id, each]));
  return [
    '/** Made by `npm run generate` from src/check/rules/: edit the rules there. */',
    "import type { RuleFacts, RuleId } from './rules.ts';",
    '',
    `export const ruleTable: { readonly [Id in RuleId]: RuleFacts } = ${JSON.stringify(table, null, 2)};`,
    '',
  ].join('\n');
}

/** The input form of a schema is published for what people write, the output form for reports. */
const inputs: ReadonlySet<z.ZodType> = new Set([Config, Contract, Plan, Scenario, TriageFile, Workflow]);

function jsonSchema(schema: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(schema, { io: inputs.has(schema) ? 'input' : 'output' }), null, 2)}\n`;
}

function withSettingsTable(page: string): string {
  const rows = configSettings().map(({ key, shape }) => [
    `\`${key}\``,
    typeText(shape),
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

function typeText({ enum: values, anyOf, type }: ReturnType<typeof configSettings>[number]['shape']): string {
  if (values) return values.map((value) => `\`"${value}"\``).join(', ');
  return anyOf?.map(({ type: one }) => one).join(' or ') ?? type ?? '';
}

function withAccuracyTables(page: string, rules: readonly Rule[]): string {
  const tables = {
    alarms: alarmsTable(rules),
    seeded: seededTable(rules),
    languages: languageTable(),
    formats: formatTable(),
  };
  return page.replace(
    /(<!-- (alarms|seeded|languages|formats): .*? -->\n).*?(\n<!-- end of \2 -->)/gs,
    (_all, start: string, name: keyof typeof tables, end: string) => `${start}\n${tables[name]}\n${end}`,
  );
}
