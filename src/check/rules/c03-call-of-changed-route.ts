import { mayDefineData } from '#code/formats/index.ts';
import type { ClientCall, Route } from '#code/formats/shared/data-facts.ts';
import { type At, type ChangedData, changedData, newIn } from './data/changed-data.ts';
import { endsWithPath } from './data/models.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey, SurveyedBranch } from './survey/survey.ts';

export const callOfChangedRoute = {
  id: 'C03',
  name: 'call-of-changed-route',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.85,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 18, real: 18 },
  what: 'One branch removes or renames a route, or takes a new key out of the body of its requests, and another branch adds a client that calls it as it was: fetch, axios, ky, requests, httpx. Likely, because the client may talk to another server.',
  example: {
    a: ['- app.get("/orders/:id")', '+ app.get("/v2/orders/:id")'],
    b: ['+ fetch(`/orders/${id}`)'],
  },
  move: 'Call the route as it is now, or keep the old one.',
  proof: ['likely'],
  owner: 'consumer',
  detect: { survey: callsOfChangedRoutes },
} satisfies Rule;

interface RouteChange {
  readonly route: At<Route>;
  /** Keys that the body must have now; null when the route is gone. */
  readonly wants: readonly string[] | null;
}

async function callsOfChangedRoutes(survey: Survey): Promise<Sighting[]> {
  const data = await changedData(survey);
  const found: Sighting[] = [];
  for (const [remover, own] of data)
    for (const { route, wants } of changesOf(own))
      for (const [side, others] of data) {
        if (side === remover || !survey.isApart(side, remover)) continue;
        const matching = others
          .flatMap((changed) => newIn(changed, ({ calls: all }) => all))
          .filter((call) => call.method === route.method && endsWithPath(call.path, route.path))
          .filter(
            ({ body }) => wants === null || (body !== null && wants.some((key) => !body.includes(key))),
          );
        const calls: At<ClientCall>[] = [];
        for (const call of matching)
          if (wants !== null || !(await isServed(survey, remover, call))) calls.push(call);
        const [first, ...more] = calls;
        if (!first) continue;
        const name = `${route.method} ${route.path}`;
        found.push({
          key: `route:${name}`,
          provider: { ...route, name, removed: wants === null },
          sites: [named(first, name), ...more.map((call) => named(call, name))],
          subject: name,
          confidence: 'likely',
          message:
            wants === null
              ? `${remover.ref} no longer serves ${name}; ${side.ref} adds a call of it`
              : `${name} of ${remover.ref} now needs ${wants.join(', ')} in the body; ${side.ref} adds a call without`,
          suggestion:
            wants === null ? 'call what is served now, or keep the route' : `send ${wants.join(', ')} too`,
        });
      }
  return found;
}

function named(call: At<ClientCall>, name: string) {
  return { side: call.side, file: call.file, line: call.line, name };
}

function changesOf(own: readonly ChangedData[]): RouteChange[] {
  const now = own.flatMap(({ after }) => after.routes ?? []);
  return own.flatMap((changed) =>
    (changed.before.routes ?? []).flatMap((old): RouteChange[] => {
      if (old.path === '/' || changed.after.problem) return [];
      const route = { ...old, side: changed.side, file: changed.file };
      const left = now.filter(({ method, path }) => method === old.method && path === old.path);
      if (left.length === 0) return [{ route, wants: null }];
      const [kept] = left;
      const added = (kept?.body ?? []).filter((key) => !old.body?.includes(key));
      const at = kept ? { ...kept, side: changed.side, file: changed.file } : route;
      return left.length === 1 && added.length > 0 ? [{ route: at, wants: added }] : [];
    }),
  );
}

/** Whether a route in the union still answers. */
async function isServed(
  survey: Survey,
  remover: SurveyedBranch,
  { method, path }: ClientCall,
): Promise<boolean> {
  const tree = survey.union ?? remover.tree;
  const word = path.split('/').findLast((part) => part !== '' && part !== ':');
  if (word === undefined) return true;
  for (const file of (await survey.holding(tree, [word])).filter(mayDefineData))
    for (const route of (await survey.data(tree, file))?.routes ?? [])
      if ((route.method === method || route.method === 'ALL') && endsWithPath(path, route.path)) return true;
  return false;
}
