import { z } from 'zod';
import { severities } from './vocabulary.ts';

/** What can be wrong with a handoff. The first eight fail an audit, all but MISSING_FILE. */
const auditFlags = [
  'MISSING_HANDOFF_RECORD',
  'INCOMPLETE_HANDOFF_RECORD',
  'MALFORMED_INPUT',
  'MALFORMED_OUTPUT',
  'MALFORMED_DECISION',
  'MISSING_FILE',
  'FABRICATION',
  'INVALID_PATH',
  'MISSING_IN_CODE',
  'CLAIM_NOT_IN_CODE',
  'UNUSED_OUTPUT',
  'MISSING_OUTPUT',
  'ORPHAN',
  'UNKNOWN_ADDRESSEE',
  'NO_OUTPUTS',
  'MISPLACED_RECORD',
  'MISSING_SUBSECTION',
] as const;
export type AuditFlag = (typeof auditFlags)[number];

const auditStatuses = ['Healthy', 'Normal', 'Suspicious', 'Theater', 'n/a'] as const;
export type AuditStatus = (typeof auditStatuses)[number];

const auditLanguages = ['en', 'ko', 'ja', 'zh', 'de'] as const;
export type AuditLanguage = (typeof auditLanguages)[number];

export const AuditFinding = z.object({
  flag: z.enum(auditFlags),
  severity: z.enum(severities),
  agent: z.string(),
  file: z.string(),
  line: z.int().positive(),
  message: z.string(),
  hint: z.string().describe('What can be done about it; may be empty.'),
  fingerprint: z.string().describe('The same for the same problem, regardless of its line or wording.'),
});
export type AuditFinding = z.infer<typeof AuditFinding>;

const Output = z.object({
  agent: z.string(),
  output: z.string().describe('`path#anchor` as it was written.'),
  file: z.string(),
  line: z.int().positive(),
});

export const CodeClaim = z.object({
  agent: z.string(),
  claimedIn: z.string().describe('File that says so.'),
  claimedAt: z.int().positive().describe('Line of that file.'),
  from: z.string().describe('The requirement that is said to be implemented: `path#anchor`.'),
  file: z.string().describe('The source file that is named.'),
  lines: z.tuple([z.int().positive(), z.int().positive()]).nullable(),
  status: z.enum(['CONFIRMED', 'PARTIAL', 'MISSING_IN_CODE', 'MISSING_FILE', 'UNJUDGED']),
  decidedBy: z.enum(['code', 'agent']),
  inDiff: z.boolean().nullable().describe('null: there is no diff to look at.'),
  symbols: z.object({ found: z.array(z.string()), missing: z.array(z.string()) }),
  evidence: z.string(),
});
export type CodeClaim = z.infer<typeof CodeClaim>;

export const AuditReport = z
  .object({
    schema: z.literal('joinery/audit@1'),
    subject: z.object({
      kind: z.enum(['folder', 'run']),
      name: z.string(),
      path: z.string(),
    }),
    language: z.enum(auditLanguages).describe('Of the audited files.'),
    iteration: z.string().nullable().describe('As the files say: "2/3".'),
    pipeline: z.array(z.string()).describe('Agents in the order in which they worked.'),
    score: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .describe('null: nothing was addressed to an agent that took part.'),
    status: z.enum(auditStatuses),
    possibleEdges: z
      .int()
      .nonnegative()
      .describe('(output, addressee) pairs, those included that a role has to declare and did not.'),
    actualEdges: z.int().nonnegative().describe('Pairs in which the addressee cited the output.'),
    edges: z.array(z.object({ from: z.string(), to: z.string(), output: z.string(), isCited: z.boolean() })),
    gaps: z
      .array(Output.extend({ addressedTo: z.array(z.string()) }))
      .describe('Outputs that none of their addressees cited.'),
    missingOutputs: z
      .array(z.object({ agent: z.string(), to: z.string(), file: z.string() }))
      .describe('What a role has to hand on and did not declare; each costs an edge.'),
    undeclaredSections: z
      .array(z.object({ agent: z.string(), file: z.string(), sections: z.array(z.string()) }))
      .describe('Sections of its own document that an agent did not address to anyone.'),
    backward: z
      .array(Output.extend({ addressedTo: z.string(), isCited: z.boolean() }))
      .describe('Outputs addressed to an agent that worked before; not part of the score.'),
    fabrications: z.array(
      Output.omit({ output: true }).extend({
        cited: z
          .string()
          .describe('`path#anchor` that does not exist, or the claim that the code does not bear out.'),
        kind: z.enum(['input', 'output', 'code']),
      }),
    ),
    orphans: z.array(
      z.object({
        agent: z.string(),
        why: z.enum(['ignored', 'no-inputs']),
        density: z.int().nullable(),
        unused: z.int(),
      }),
    ),
    compliance: z.object({ compliant: z.int(), total: z.int() }),
    agents: z.array(
      z.object({
        agent: z.string(),
        files: z.array(z.string()),
        hasRecord: z.boolean(),
        isCompliant: z.boolean().describe('A record with all three subsections, and every item can be read.'),
        inputs: z.object({ declared: z.int(), valid: z.int(), isNone: z.boolean() }),
        outputs: z.object({ declared: z.int(), cited: z.int(), isNone: z.boolean() }),
        decisions: z.object({ logged: z.int(), isNone: z.boolean() }),
        density: z.int().nullable().describe('Percent of its outputs that were cited; null without outputs.'),
        citationsIn: z.int().describe('Outputs of others that it cited.'),
        citationsOut: z.int().describe('Times its outputs were cited.'),
        flags: z.array(z.enum(auditFlags)),
      }),
    ),
    code: z.object({
      diff: z.object({ status: z.enum(['checked', 'skipped']), detail: z.string() }),
      claims: z.array(CodeClaim),
      judge: z
        .object({
          agent: z.string(),
          promptSha256: z.string(),
          status: z.enum(['answered', 'no-answer']),
          reason: z.string(),
        })
        .nullable()
        .optional()
        .describe('Agent that judged what code could not; null: no agent was asked.'),
    }),
    findings: z.array(AuditFinding),
    exitCode: z.int(),
  })
  .describe('Did the agents work as a team? Computed from the bytes of what they left behind.');
export type AuditReport = z.infer<typeof AuditReport>;
