import type { OtherKind, ProblemOf } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import type { RuleId } from '#schema/rules.ts';

/** A problem of whole files that a rule finds itself: a conflict, a collision, a union that does not parse. */
export function textProblem(
  rule: RuleId,
  paths: readonly string[],
  statement: string,
  { line, column } = { line: 1, column: 1 },
): ProblemOf<OtherKind> {
  const file = paths[0] ?? '';
  return {
    kind: rule,
    key: JSON.stringify(['text', ...paths, statement]),
    consumer: symbolId(file, ''),
    provider: symbolId(file, ''),
    file,
    sites: paths.map((path) => ({ file: path, line, column, endLine: line, symbol: symbolId(path, '') })),
    definedAt: [],
    proven: true,
    tier: 'R0',
    statement,
    mismatch: null,
    tried: [],
  };
}
