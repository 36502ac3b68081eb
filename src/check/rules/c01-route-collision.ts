import type { Route } from '#code/formats/shared/data-facts.ts';
import { changedData, newIn } from './data/changed-data.ts';
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
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 72, real: 72 },
  what: 'Two branches each register a handler for the same method and path of one app. Only the first one answers; Fastify and Next refuse to start. Paths are compared without the names of their parameters and with everything they are mounted below. In Flask also two views with one name: it refuses to start.',
  example: { a: ["+ app.get('/users/:id', a)"], b: ["+ app.get('/users/:userId', b)"] },
  move: 'Give one of the two another path, or join the handlers.',
  proof: ['proven', 'likely'],
  owner: 'either',
  detect: {
    survey: async (survey: Survey) => [
      ...(await routesTakenTwice(survey)),
      ...(await viewsNamedTwice(survey)),
    ],
  },
} satisfies Rule;

async function routesTakenTwice(survey: Survey): Promise<Sighting[]> {
  const byPath = new Map<string, FullRoute[]>();
  const written = new Map<string, number>();
  const routes = [...(await changedData(survey)).values()].flat().flatMap(newRoutes);
  // Mounts are followed only for routes whose method and last segment occur more than once.
  const endOf = (route: Route) => `${verbOf(route)} ${route.path.split('/').at(-1)}`;
  for (const route of routes) written.set(endOf(route), (written.get(endOf(route)) ?? 0) + 1);
  for (const route of routes) {
    if ((written.get(endOf(route)) ?? 0) < 2) continue;
    const full = await fullRoute(survey, route);
    const key = `${verbOf(full)} ${full.fullPath}`;
    byPath.set(key, [...(byPath.get(key) ?? []), full]);
  }
  const told = new Set<string>();
  return [...byPath].flatMap(([key, items]) =>
    meetings(survey, items).flatMap(([first, second]): Sighting[] => {
      const confidence = collide(first, second);
      // One line may register several paths: a list and its items.
      const lines = [first, second].map(({ side, file, line }) => `${side.ref} ${file}:${line}`).join(' ');
      if (confidence === null || told.has(lines)) return [];
      told.add(lines);
      return [
        {
          key: `route:${key}`,
          provider: { ...first, name: nameOf(first) },
          sites: [{ ...second, name: nameOf(second) }],
          subject: key,
          confidence,
          message: `${first.side.ref} and ${second.side.ref} both register ${first.framework === 'Next' ? first.fullPath : key}; ${first.framework === 'Next' ? 'Next refuses two files for one path' : 'only one of the handlers answers'}`,
          suggestion: 'give one of the two another path, or join the handlers',
        },
      ];
    }),
  );
}

/** Flask looks a view up by its name; two routes of one path are told above. */
async function viewsNamedTwice(survey: Survey): Promise<Sighting[]> {
  const added = [...(await changedData(survey)).values()].flat().flatMap((changed) => {
    const old = new Set(changed.before.endpoints?.map(({ router, name }) => `${router} ${name}`));
    return newIn(changed, ({ endpoints }) => endpoints).filter(
      ({ router, name }) => !old.has(`${router} ${name}`),
    );
  });
  const groups = Map.groupBy(added, ({ file, router, name }) => `${file}#${router}.${name}`);
  return [...groups].flatMap(([key, items]) =>
    meetings(survey, items).flatMap(([first, second]): Sighting[] =>
      first.path === second.path
        ? []
        : [
            {
              key: `endpoint:${key}`,
              provider: first,
              sites: [second],
              subject: first.name,
              confidence: 'proven',
              message: `${first.side.ref} and ${second.side.ref} both add a view named ${first.name} to ${first.router}; Flask refuses the second one`,
              suggestion: 'give one of the two another name',
            },
          ],
    ),
  );
}

/** Next maps a path to one file, whatever its methods. */
function verbOf({ framework, method }: Route): string {
  return framework === 'Next' ? 'Next' : method;
}

function nameOf({ method, fullPath }: FullRoute): string {
  return `${method} ${fullPath}`;
}

function collide(a: FullRoute, b: FullRoute): 'proven' | 'likely' | null {
  if (a.framework === 'Next' && a.file === b.file) return null;
  // `/users/<int:id>` does not match what `/users/<name>` matches beyond numbers.
  if (a.constraints !== b.constraints) return null;
  // Each function that creates an app has a separate one; functions that receive one may receive the same.
  const isElsewhere = a.file === b.file && a.within !== b.within;
  if (isElsewhere && (a.isOwn || b.isOwn)) return null;
  const isOneRouter = a.file === b.file && a.router === b.router;
  const isOneApp = a.app !== null && a.app === b.app;
  if (!isOneRouter && !isOneApp) return null;
  // A handler that may call `next` passes the request to the other one.
  const isLeft = a.ends !== true || b.ends !== true || a.framework === 'Nest';
  // An object from another file is assumed to be a router by its name alone.
  const isImported = a.from !== undefined || b.from !== undefined;
  const isCertain = !isLeft && !isElsewhere && !isImported;
  return isCertain ? 'proven' : 'likely';
}
