import type { Route } from '#code/formats/shared/data-facts.ts';
import { type At, changedData } from './data/changed-data.ts';
import { newRoutes } from './data/routes.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey } from './survey/survey.ts';

export const routeShadowed = {
  id: 'C02',
  name: 'route-shadowed',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.85,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 18, real: 18 },
  what: 'One branch adds a route with a parameter, another one a route that the parameter also matches, and in the merged file the parameter comes first: the other handler is never reached. Only frameworks that try routes in their order.',
  example: { a: ["+ get('/users/:id')"], b: ["+ get('/users/me')   // below it"] },
  move: 'Register the route without a parameter first.',
  proof: ['likely'],
  owner: 'either',
  detect: { survey: shadowedRoutes },
} satisfies Rule;

async function shadowedRoutes(survey: Survey): Promise<Sighting[]> {
  const { union } = survey;
  if (union === null) return [];
  const routes = [...(await changedData(survey)).values()]
    .flat()
    .flatMap(newRoutes)
    .filter(({ ordered }) => ordered);
  const wide = routes.filter(({ path }) => path.includes(':'));
  const found: Sighting[] = [];
  for (const one of wide)
    for (const other of routes) {
      const isPair = one.side !== other.side && one.file === other.file && one.router === other.router;
      if (!isPair || one.method !== other.method || !survey.isApart(one.side, other.side)) continue;
      // A parameter that must be a number does not match the rest.
      if (!covers(one.path, other.path) || /[^/]/.test(one.constraints ?? '')) continue;
      if (one.constraints !== other.constraints) continue;
      const merged = (await survey.data(union, one.file))?.routes ?? [];
      const place = (route: At<Route>) =>
        merged.findIndex(
          (each) => each.path === route.path && each.method === route.method && each.router === route.router,
        );
      if (place(one) === -1 || place(other) === -1 || place(one) > place(other)) continue;
      const [wider, narrower] = [`${one.method} ${one.path}`, `${other.method} ${other.path}`];
      found.push({
        key: `route:${wider} ${narrower}`,
        provider: { ...one, name: wider },
        sites: [{ ...other, name: narrower }],
        subject: narrower,
        confidence: 'likely',
        message: `${one.side.ref} adds ${wider} and ${other.side.ref} adds ${narrower} below it: the first one takes its requests`,
        suggestion: `register ${narrower} before ${wider}`,
      });
    }
  return found;
}

/** Whether every request that matches the one path also matches the other. */
function covers(wide: string, narrow: string): boolean {
  const [a, b] = [wide.split('/'), narrow.split('/')];
  return (
    wide !== narrow && a.length === b.length && a.every((part, index) => part === ':' || part === b[index])
  );
}
