import type { Category, Severity } from './vocabulary.ts';

export interface Rule {
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  /** Severity when proven; a likely finding of a blocking rule is important. */
  readonly severity: Severity;
  /** A problem of one branch alone: never blocks. */
  readonly single: boolean;
}

function rule<const Id extends string>(
  id: Id,
  name: string,
  category: Category,
  severity: Severity = 'blocking',
  single = false,
): Rule & { readonly id: Id } {
  return { id, name, category, severity, single };
}

const catalogue = [
  rule('T01', 'textual-conflict', 'text'),
  rule('T02', 'auto-resolvable-conflict', 'text', 'info'),
  rule('T03', 'merged-file-does-not-parse', 'text'),
  rule('T04', 'modify-vs-delete', 'text'),
  rule('T05', 'moved-code-loses-edit', 'text'),
  rule('T06', 'duplicate-key-in-data-file', 'schema'),
  rule('T07', 'path-collision', 'text'),
  rule('S01', 'use-of-removed-symbol', 'interface'),
  rule('S02', 'use-of-renamed-symbol', 'interface'),
  rule('S03', 'import-of-moved-module', 'interface'),
  rule('S04', 'arity-mismatch', 'interface'),
  rule('S05', 'keyword-parameter-renamed', 'interface'),
  rule('S06', 'parameter-order-swapped', 'interface', 'important'),
  rule('S07', 'return-contract-changed', 'interface'),
  rule('S08', 'sync-async-flip', 'interface'),
  rule('S09', 'failure-contract-changed', 'interface', 'minor'),
  rule('S10', 'field-removed-or-renamed', 'interface'),
  rule('S11', 'member-unimplemented', 'interface'),
  rule('S12', 'override-of-changed-method', 'interface'),
  rule('S13', 'export-narrowed', 'connection'),
  rule('S14', 'uncovered-case', 'interface'),
  rule('S15', 'enum-renumbered', 'interface', 'important'),
  rule('S16', 'type-parameter-arity', 'interface'),
  rule('S17', 'duplicate-definition', 'duplicate'),
  rule('S18', 'ambiguous-name', 'connection'),
  rule('S19', 'import-cycle', 'connection'),
  rule('S20', 'new-provider-mismatch', 'interface'),
  rule('S21', 'unresolved-import', 'connection', 'important', true),
  rule('V01', 'typescript-diagnostic', 'interface'),
  rule('V02', 'python-diagnostic', 'interface'),
] as const;

/** 'S02'; an id that is in no row does not compile. */
export type RuleId = (typeof catalogue)[number]['id'];

const byId = new Map<string, Rule>(catalogue.map((entry) => [entry.id, entry]));

export const rules: readonly Rule[] = catalogue;

/** Of a rule named by our own code, or by a report. */
export function ruleById(id: RuleId | (string & {})): Rule {
  const found = byId.get(id);
  if (!found) throw new Error(`unknown rule ${id}`);
  return found;
}
