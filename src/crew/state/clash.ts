import type { Clash } from '#schema/run.ts';

/** A finding for its owner: what, where on both sides, the witness, the move, and which task does not have to move. */
export function describeClash(clash: Clash): string {
  const { rule, message, owner, sites, witness, suggestion, tasks, target } = clash;
  const others = tasks.filter((task) => task !== owner);
  const named = (task: string) => (task === target ? task : `task ${task}`);
  const places = sites.map(({ task, file, line, role }) => `${file}:${line} (${named(task)}, ${role})`);
  return [
    `${rule} ${message}`,
    `where: ${[...new Set(places)].join(', ')}`,
    `witness: ${witness.command}${witness.output === '' ? '' : ` says ${witness.output}`}`,
    `move: ${suggestion}`,
    ...(others.length > 0 && owner !== null
      ? [`task ${owner} has to move; ${others.map(named).join(', ')} is not to move`]
      : []),
  ].join('; ');
}
