import { createHash } from 'node:crypto';
import type { AuditFinding, AuditFlag } from '#schema/audit.ts';
import type { Severity } from '#schema/vocabulary.ts';

const severities: Readonly<Record<AuditFlag, Severity>> = {
  MISSING_HANDOFF_RECORD: 'blocking',
  INCOMPLETE_HANDOFF_RECORD: 'blocking',
  MALFORMED_INPUT: 'blocking',
  MALFORMED_OUTPUT: 'blocking',
  MALFORMED_DECISION: 'blocking',
  MISSING_FILE: 'important',
  FABRICATION: 'blocking',
  INVALID_PATH: 'blocking',
  MISSING_IN_CODE: 'blocking',
  CLAIM_NOT_IN_CODE: 'important',
  UNUSED_OUTPUT: 'minor',
  MISSING_OUTPUT: 'important',
  ORPHAN: 'important',
  UNKNOWN_ADDRESSEE: 'minor',
  NO_OUTPUTS: 'minor',
  MISPLACED_RECORD: 'minor',
  MISSING_SUBSECTION: 'info',
};

/** `about` names the subject: a reference, an item, a subsection. It stays the same if the line moves. */
export function auditFinding(
  flag: AuditFlag,
  where: { readonly agent: string; readonly file: string; readonly line: number },
  about: string,
  message: string,
  hint = '',
): AuditFinding {
  const key = JSON.stringify(['ha1', flag, where.agent, where.file, about]);
  return {
    flag,
    severity: severities[flag],
    ...where,
    message,
    hint,
    fingerprint: createHash('sha256').update(key).digest('hex').slice(0, 16),
  };
}
