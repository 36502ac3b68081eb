import type { Switch } from '#code/facts/facts.ts';
import { literalOf } from './literals.ts';
import type { Placed } from './placement.ts';
import { childIn, childrenIn, dottedName, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';

/** Switches over literals and members of enums. */
export function readSwitches(reading: Reading, placed: readonly Placed[]): Switch[] {
  const { tree, lines } = reading;
  if (!tree.contains(Kind.Switch)) return [];
  const found: Switch[] = [];
  for (let node = tree.next(Kind.Switch, 1); node >= 0; node = tree.next(Kind.Switch, node + 1)) {
    const clauses = childrenIn(tree, node, Role.body);
    const tests = clauses.map((clause) => childIn(tree, clause, Role.test)).filter((test) => test >= 0);
    const cases = tests.flatMap((test) => literalOf(reading, test) ?? dottedName(reading, test) ?? []);
    if (cases.length === 0 || cases.length < tests.length) continue;
    const start = tree.start[node] as number;
    found.push({
      line: lines.line(start),
      column: lines.column(start),
      endLine: lines.line((tree.end[node] as number) - 1),
      scope: scopeAt(reading, placed, node),
      cases,
      hasDefault: tests.length < clauses.length,
    });
  }
  return found;
}

/** The innermost definition around a node; they are sorted by position. */
function scopeAt({ tree }: Reading, placed: readonly Placed[], node: number): string {
  return placed.findLast((each) => each.node < node && node < (tree.after[each.node] as number))?.path ?? '';
}
