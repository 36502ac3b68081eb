import type { AuditFinding, AuditFlag, AuditReport, CodeClaim } from '#schema/audit.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { sectionsOf } from '../markdown/sections.ts';
import type { AuditedAgent } from './agents.ts';
import {
  type CheckedRecords,
  checkRecords,
  type PipelineDocument,
  type ReadBeside,
} from './check-records.ts';
import { auditFinding } from './findings.ts';
import { type AgentFigures, graphOf, percentOf } from './graph.ts';
import { languageOf } from './language.ts';

export interface Audited {
  readonly subject: AuditReport['subject'];
  readonly documents: readonly PipelineDocument[];
  readonly readBeside: ReadBeside;
  /** Compares what the records say about source files with the code. */
  readonly verify: (records: CheckedRecords) => AuditReport['code'];
}

/** Checks whether the agents of a pipeline worked as a team, from the bytes of their documents alone. */
export function auditDocuments({ subject, documents, readBeside, verify }: Audited): AuditReport {
  const records = checkRecords(documents, readBeside);
  const code = verify(records);
  return reportOn(records, {
    subject,
    language: languageOf(documents.map(({ text }) => text)),
    iteration: iterationIn(documents),
    undeclaredSections: undeclaredIn(documents, records.agents),
    code,
  });
}

type Given = Pick<AuditReport, 'subject' | 'language' | 'iteration' | 'undeclaredSections' | 'code'>;

/** The report on agents with looked-up references, whatever format their handoffs had. */
export function reportOn({ agents, findings: formal }: CheckedRecords, given: Given): AuditReport {
  const { perAgent, ...graph } = graphOf(agents);
  const findings = [...formal, ...codeFindings(given.code.claims), ...graphFindings(graph, agents)].toSorted(
    byPlace,
  );
  const byAgent = Map.groupBy(findings, ({ agent }) => agent);
  const rows = agents.map((agent) => rowOf(agent, perAgent.get(agent.id), byAgent.get(agent.id) ?? []));
  const report: Omit<AuditReport, 'exitCode'> = {
    schema: 'joinery/audit@1',
    subject: given.subject,
    language: given.language,
    iteration: given.iteration,
    pipeline: agents.map(({ id }) => id),
    ...graph,
    undeclaredSections: given.undeclaredSections,
    fabrications: [...agents.flatMap(fabricationsOf), ...given.code.claims.flatMap(inventedBy)],
    compliance: { compliant: rows.filter(({ isCompliant }) => isCompliant).length, total: rows.length },
    agents: rows,
    code: given.code,
    findings,
  };
  return { ...report, exitCode: exitCodeOf(report) };
}

/** Flags that fail an audit, whatever the score. */
const failing = new Set<AuditFlag>([
  'MISSING_HANDOFF_RECORD',
  'INCOMPLETE_HANDOFF_RECORD',
  'MALFORMED_INPUT',
  'MALFORMED_OUTPUT',
  'MALFORMED_DECISION',
  'FABRICATION',
  'INVALID_PATH',
  'MISSING_IN_CODE',
]);

function exitCodeOf({ findings, status }: Pick<AuditReport, 'findings' | 'status'>): number {
  if (findings.some(({ flag }) => failing.has(flag))) return exitCodes.findings;
  return status === 'Theater' ? exitCodes.needsPerson : exitCodes.ok;
}

function byPlace(a: AuditFinding, b: AuditFinding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}

const breaksRecord = new Set<AuditFlag>([
  'MISSING_HANDOFF_RECORD',
  'INCOMPLETE_HANDOFF_RECORD',
  'MALFORMED_INPUT',
  'MALFORMED_OUTPUT',
  'MALFORMED_DECISION',
]);

function rowOf(
  { id, files, record }: AuditedAgent,
  figures: AgentFigures | undefined,
  findings: readonly AuditFinding[],
): AuditReport['agents'][number] {
  const inputs = record?.inputs ?? [];
  const declared = new Set(record?.outputs.map(({ ref }) => ref)).size;
  const { outputs = 0, cited = 0, citationsIn = 0, citationsOut = 0 } = figures ?? {};
  return {
    agent: id,
    files: [...files],
    hasRecord: record !== null,
    isCompliant: record !== null && !findings.some(({ flag }) => breaksRecord.has(flag)),
    inputs: {
      declared: inputs.length,
      valid: inputs.filter(({ state }) => state === 'ok').length,
      isNone: record?.none.includes('inputs') ?? false,
    },
    outputs: { declared, cited, isNone: record?.none.includes('outputs') ?? false },
    decisions: { logged: record?.decisions ?? 0, isNone: record?.none.includes('decisions') ?? false },
    density: outputs === 0 ? null : percentOf(cited, outputs),
    citationsIn,
    citationsOut,
    flags: [...new Set(findings.map(({ flag }) => flag))],
  };
}

type Fabrications = AuditReport['fabrications'];

function fabricationsOf({ id, record }: AuditedAgent): Fabrications {
  const of = (kind: 'input' | 'output') =>
    (kind === 'input' ? record?.inputs : record?.outputs)
      ?.filter(({ state }) => state === 'fabricated')
      .map(({ file, line, ref }) => ({ agent: id, file, line, cited: ref, kind })) ?? [];
  return [...of('input'), ...of('output')];
}

function inventedBy({ status, agent, claimedIn, claimedAt, from, file }: CodeClaim): Fabrications {
  if (status !== 'MISSING_IN_CODE') return [];
  return [{ agent, file: claimedIn, line: claimedAt, cited: `${from} in ${file}`, kind: 'code' }];
}

type GraphLists = Pick<AuditReport, 'gaps' | 'missingOutputs' | 'orphans'>;

function graphFindings(
  { gaps, missingOutputs, orphans }: GraphLists,
  agents: readonly AuditedAgent[],
): AuditFinding[] {
  const files = new Map(agents.map((agent) => [agent.id, agent.files[0] ?? '']));
  return [
    ...gaps.map(({ agent, file, line, output, addressedTo }) =>
      auditFinding(
        'UNUSED_OUTPUT',
        { agent, file, line },
        output,
        `\`${output}\` was declared for ${addressedTo.join(', ')} and cited by none of them`,
        'cite it where it was used, or find out why it was not',
      ),
    ),
    ...missingOutputs.map(({ agent, to, file }) =>
      auditFinding(
        'MISSING_OUTPUT',
        { agent, file, line: 1 },
        to,
        `a ${agent} hands something on to the ${to}, and this one declared nothing`,
        `declare what the ${to} should read; it costs an edge until then`,
      ),
    ),
    ...orphans.map(({ agent, why, density, unused }) =>
      auditFinding(
        'ORPHAN',
        { agent, file: files.get(agent) ?? '', line: 1 },
        why,
        why === 'no-inputs'
          ? 'it consumed nothing that others made'
          : `its work was ignored: ${density} % of its outputs were cited, ${unused} were not`,
      ),
    ),
  ];
}

const claimFlags: Readonly<Record<CodeClaim['status'], AuditFlag | null>> = {
  CONFIRMED: null,
  UNJUDGED: null,
  PARTIAL: 'CLAIM_NOT_IN_CODE',
  MISSING_FILE: 'MISSING_FILE',
  MISSING_IN_CODE: 'MISSING_IN_CODE',
};

function codeFindings(claims: readonly CodeClaim[]): AuditFinding[] {
  return claims.flatMap(({ status, agent, claimedIn, claimedAt, file, from, evidence }) => {
    const flag = claimFlags[status];
    if (flag === null) return [];
    return [auditFinding(flag, { agent, file: claimedIn, line: claimedAt }, `${from} ${file}`, evidence)];
  });
}

/** `Iteration: 2/3`, if a file says so. */
function iterationIn(documents: readonly PipelineDocument[]): string | null {
  const said = documents.flatMap(({ text }) => [
    ...text.matchAll(/\bIteration:?\**:?\s+(\d+)\s*\/\s*(\d+)/gi),
  ]);
  const last = said.at(-1);
  return last ? `${last[1]}/${last[2]}` : null;
}

/** Main sections of an agent's own documents without an addressee: declaring less would hide them from the score. */
function undeclaredIn(
  documents: readonly PipelineDocument[],
  agents: readonly AuditedAgent[],
): AuditReport['undeclaredSections'] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  return agents.flatMap(({ id, files, record }) => {
    const declared = new Set(record?.outputs.map(({ ref }) => ref));
    return files
      .map((file) => ({ agent: id, file, sections: mainSections(byPath.get(file), declared) }))
      .filter(({ sections }) => sections.length > 0);
  });
}

function mainSections(document: PipelineDocument | undefined, declared: ReadonlySet<string>): string[] {
  if (!document) return [];
  return sectionsOf(document.text)
    .filter(({ level, title }) => level === 2 && title !== 'Handoff Record')
    .map(({ anchor }) => anchor)
    .filter((anchor) => !declared.has(`${document.name}#${anchor}`));
}
