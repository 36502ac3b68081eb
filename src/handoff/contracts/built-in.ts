import type { z } from 'zod';
import {
  CodingHandoff,
  DiscoveryHandoff,
  GateVerdict,
  LoopDecision,
  ReviewVerdict,
  ShapingHandoff,
} from '#schema/phase-handoffs.ts';
import { ContractRegistry, type HandoffContract } from './registry.ts';

/** Checks the example against the schema at compile time. */
function contract<Schema extends z.ZodType<{ kind: string }>>(
  ref: string,
  schema: Schema,
  example: z.infer<Schema>,
  blockedMessage: string,
): HandoffContract {
  return { ref, version: 1, schema, example, blockedMessage };
}

/** Joinery's own contracts, under the names that WorkRail's workflows use. */
export const builtInContracts: readonly HandoffContract[] = [
  contract(
    'wr.contracts.discovery_handoff',
    DiscoveryHandoff,
    {
      kind: 'wr.discovery_handoff',
      version: 1,
      selectedDirection: 'Keep sessions in the database',
      designDocPath: 'docs/design/sessions.md',
      confidenceBand: 'high',
      keyInvariants: ['A session belongs to exactly one user'],
      implementationConstraints: ['No new service'],
    },
    'Hand in what was found out: the direction you chose, its design document, your confidence, and what must stay true.',
  ),
  contract(
    'wr.contracts.shaping_handoff',
    ShapingHandoff,
    {
      kind: 'wr.shaping_handoff',
      version: 1,
      pitchPath: 'docs/pitch.md',
      selectedShape: 'One table, one middleware',
      appetite: 'two days',
      keyConstraints: ['No migration of old sessions'],
      rabbitHoles: ['Refresh tokens'],
      outOfScope: ['Single sign-on'],
      validationChecklist: ['A deleted session is refused'],
    },
    'Hand in the shape of the work: appetite, constraints, rabbit holes, what is out of scope, and how to validate it.',
  ),
  contract(
    'wr.contracts.coding_handoff',
    CodingHandoff,
    {
      kind: 'wr.coding_handoff',
      version: 1,
      keyDecisions: ['Sessions are deleted, not marked'],
      knownLimitations: [],
      testsAdded: ['src/session.test.ts'],
      filesChanged: ['src/session.ts'],
      correctedAssumptions: [{ assumed: 'ids are numbers', actual: 'ids are UUIDs' }],
    },
    'Hand in what was built: decisions, limitations, tests, changed files, and assumptions that turned out wrong.',
  ),
  contract(
    'wr.contracts.review_verdict',
    ReviewVerdict,
    {
      kind: 'wr.review_verdict',
      verdict: 'minor',
      confidence: 'high',
      summary: 'Works; one name misleads.',
      findings: [{ severity: 'minor', summary: 'isOld means expired', findingCategory: 'style' }],
    },
    'Hand in your verdict on the work with every finding and its severity.',
  ),
  contract(
    'wr.contracts.loop_control',
    LoopDecision,
    { kind: 'wr.loop_control', decision: 'stop', metadata: { reason: 'nothing left to fix' } },
    'Say whether the loop continues: "continue" or "stop".',
  ),
  contract(
    'wr.contracts.gate_verdict',
    GateVerdict,
    {
      kind: 'wr.gate_verdict',
      version: 1,
      verdict: 'approved',
      confidence: 'high',
      rationale: 'Every item of the checklist is shown by a test.',
    },
    'Decide: approved, rejected or uncertain, with at least a sentence of reasons.',
  ),
];

/** A new registry that callers can extend. */
export function openRegistry(): ContractRegistry {
  return new ContractRegistry(builtInContracts);
}
