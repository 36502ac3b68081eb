import type { AuditIssue, SpecAudit } from '#schema/planning.ts';
import { completeness } from './audit-completeness.ts';
import { crossSpec } from './audit-cross-spec.ts';
import { sizing } from './audit-sizing.ts';
import { structure } from './audit-structure.ts';
import { parseSpec } from './parse-spec.ts';
import type { SpecBundle } from './spec.ts';

export interface AuditInput {
  readonly spec: SpecBundle;
  /** Template of the spec's kind. */
  readonly template: string;
  /** Targets of links to missing files. */
  readonly brokenLinks: readonly string[];
  /** A spec with more tasks should be split. */
  readonly maxTasks: number;
}

/** Decides whether a spec is good enough to be planned. Four levels, all decided by code. */
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
