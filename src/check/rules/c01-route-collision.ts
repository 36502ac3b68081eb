import { changedData } from './data/changed-data.ts';
import { type FullRoute, fullRoute, newRoutes } from './data/routes.ts';
import type { Rule } from './rule.ts';
import { meetings, type Sighting, type Survey } from './survey/survey.ts';

export const routeCollision = {
  id: 'C01',
  name: 'route-collision',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.95,
  what: 'Two branches each register a handler for the same method and path of one app. Only the first one answers; Fastify and Next refuse to start. Paths are compared without the names of their parameters and with everything they are mounted below.',
  example: { a: ["+ app.get('/users/:id', a)"], b: ["+ app.get('/users/:userId', b)"] },
  move: 'Give one of the two another path, or join the handlers.',
  proof: ['proven', 'likely'],
  owner: 'either',
  detect: { survey: routesTakenTwice },
} satisfies Rule;

async function routesTakenTwice(survey: Survey): Promise<Sighting[]> {
  const byPath = new Map<string, FullRoute[]>();
  const written = new Map<string, number>();
  const routes = [...(await changedData(survey)).values()].flat().flatMap(newRoutes);
  // Mounts are followed only where two routes could be one at all.
  const endOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.split('/').at(-1)}`;
  for (const route of routes) written.set(endOf(route), (written.get(endOf(route)) ?? 0) + 1);
  for (const route of routes) {
    if ((written.get(endOf(route)) ?? 0) < 2) continue;
    const full = await fullRoute(survey, route);
    const key = `${full.method} ${full.fullPath}`;
    byPath.set(key, [...(byPath.get(key) ?? []), full]);
  }
  return [...byPath].flatMap(([key, items]) =>
    meetings(survey, items).flatMap(([first, second]): Sighting[] => {
      const confidence = collide(first, second);
      if (confidence === null) return [];
      return [
        {
          key: `route:${key}`,
          provider: { ...first, name: key },
          sites: [{ ...second, name: key }],
          subject: key,
          confidence,
          message: `${first.side.ref} and ${second.side.ref} both register ${key}; only one of the handlers answers`,
          suggestion: 'give one of the two another path, or join the handlers',
        },
      ];
    }),
  );
}

function collide(a: FullRoute, b: FullRoute): 'proven' | 'likely' | null {
  if (a.framework === 'Next' && a.file === b.file) return null;
  // `/users/<int:id>` leaves to `/users/<name>` what is no number.
  if (a.constraints !== b.constraints) return null;
  const isOneRouter = a.file === b.file && a.router === b.router;
  const isOneApp = a.app !== null && a.app === b.app;
  if (!isOneRouter && !isOneApp) return null;
  // A handler that may call `next` leaves the request to the other one.
  return a.ends === true && b.ends === true && a.framework !== 'Nest' ? 'proven' : 'likely';
}
