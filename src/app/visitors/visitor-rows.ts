import type { Visit } from '#schema/hooks-report.ts';
import type { VisitorRow } from '#schema/window.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** An agent that has reported nothing for this long has ended without reporting it. */
const quietMs = 30 * 60 * 1000;

/** The agents of the last day, most recently active first. */
export function visitorRows(visits: readonly Visit[], now: number): VisitorRow[] {
  const sessions = Map.groupBy(
    visits.filter(({ at }) => now - Date.parse(at) < dayMs),
    ({ agent, session }) => `${agent} ${session}`,
  );
  return [...sessions.values()]
    .map((all): VisitorRow => {
      const [first] = all as [Visit, ...Visit[]];
      const last = all.at(-1) ?? first;
      const files = new Set(all.flatMap(({ file }) => file ?? []));
      const isGone = last.moment === 'SessionEnd' || now - Date.parse(last.at) > quietMs;
      return {
        agent: last.agent,
        session: last.session,
        folder: last.folder,
        since: first.at,
        at: last.at,
        doing: isGone ? 'left' : doing(last),
        isGone,
        tools: all.filter(({ tool }) => tool !== null).length,
        files: [...files].slice(-20),
      };
    })
    .sort((a, b) => b.at.localeCompare(a.at));
}

function doing({ moment, tool, file }: Visit): string {
  if (tool !== null) return file === null ? tool : `${tool} ${file}`;
  if (moment === 'Stop' || moment === 'AfterAgent') return 'waits for its person';
  return moment === 'SessionStart' ? 'has come' : 'thinks';
}
