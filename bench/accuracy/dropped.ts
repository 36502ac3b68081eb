import { renderTable } from '../table.ts';
import type { Seeded } from './seed.ts';

/** Why candidates were left out, by operator: the number for each reason, and one example. */
export function droppedTable(seeded: readonly Seeded[]): string {
  const left = seeded.flatMap((entry) =>
    entry.rejected === null ? [] : [{ ...entry, reason: entry.rejected }],
  );
  const groups = Map.groupBy(
    left,
    ({ operator, reason }) => `${operator.rule} ${operator.name}: ${kindOf(reason)}`,
  );
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { operator, reason, project, candidate } = first;
    const drawn = seeded.filter((entry) => entry.operator === operator).length;
    const example = `${project} ${candidate.symbol}${reason === kindOf(reason) ? '' : ` (${reason.slice(kindOf(reason).length + 2)})`}`;
    return [[`${operator.rule} ${operator.name}`, kindOf(reason), `${group.length} of ${drawn}`, example]];
  });
  return rows.length === 0
    ? 'no candidate was left out'
    : renderTable(['left out', 'because', 'of those drawn', 'for example'], rows);
}

function kindOf(reason: string): string {
  return reason.split(':')[0] ?? reason;
}
