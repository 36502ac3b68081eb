import type { AuditIssue, SpecAudit } from '#schema/planning.ts';
import { completeness } from './audit-completeness.ts';
import { crossSpec } from './audit-cross-spec.ts';
import { sizing } from './audit-sizing.ts';
import { structure } from './audit-structure.ts';
import { parseSpec } from './parse-spec.ts';
import type { SpecBundle } from './spec.ts';

export interface AuditInput {
  readonly spec: SpecBundle;
  /** Of its kind. */
  readonly template: string;
  /** Targets of links that lead to no file. */
  readonly brokenLinks: readonly string[];
  /** More tasks than this should be more than one spec. */
  readonly maxTasks: number;
}

/** Is a spec good enough to be planned? Four levels, all of them decided by code. */
export function auditSpec({ spec, template, brokenLinks, maxTasks }: AuditInput): SpecAudit {
  const parsed = parseSpec(spec.text);
  const size = sizing(parsed, maxTasks);
  const issues: AuditIssue[] = [
    ...structure({ parsed, spec, template: parseSpec(template), brokenLinks }),
    ...completeness(parsed),
    ...crossSpec(spec, parsed),
    ...size.issues,
  ].sort((a, b) => a.line - b.line);
  const hasError = issues.some(({ severity }) => severity === 'error');
  return {
    schema: 'joinery/spec-audit@1',
    status: hasError ? 'fail' : issues.length > 0 ? 'warn' : 'pass',
    kind: spec.kind,
    file: spec.path,
    linked: spec.linked.map(({ path }) => path),
    issues,
    sizing: size.sizing,
  };
}
