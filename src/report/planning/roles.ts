import { visibleLines } from '#lib/visible.ts';
import type { RolesReport } from '#schema/planning.ts';

/** Roles with their origin, or the prompt of the named one. */
export function renderRoles({ roles, commit, text }: RolesReport): string {
  if (text !== undefined) return visibleLines(text);
  const column = Math.max(0, ...roles.map(({ name }) => name.length)) + 2;
  const rows = roles.map(({ name, what, origin, path }) => {
    const from = origin === 'project' ? `${path} (project)` : 'joinery';
    return `${name.padEnd(column)}${from}\n${' '.repeat(column)}${what}`;
  });
  return [...rows, '', `Project files as of ${commit?.slice(0, 12)}.`].join('\n');
}
