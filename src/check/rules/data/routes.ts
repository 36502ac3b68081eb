import { posix } from 'node:path';
import type { Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';
import { endOf } from '#check/rules/wiring/module-words.ts';
import { mayDefineData } from '#code/formats/index.ts';
import type { Mount, Route } from '#code/formats/shared/data-facts.ts';
import { joinPaths } from '#code/formats/shared/route-path.ts';
import { type At, type ChangedData, newIn } from './changed-data.ts';

/** A route with its full mount path. */
export interface FullRoute extends Route {
  readonly side: SurveyedBranch;
  readonly file: string;
  /** Where it is served: `src/app.ts#app`; the router itself where no mount is visible. Null when nothing serves it. */
  readonly app: string | null;
  readonly fullPath: string;
}

export function newRoutes(changed: ChangedData): At<Route>[] {
  return newIn(changed, ({ routes }) => routes).filter(({ framework }) => framework !== 'OpenAPI');
}

/** A route with the app that serves it and its full path. */
export async function fullRoute(survey: Survey, route: At<Route>): Promise<FullRoute> {
  const { framework, side, file } = route;
  if (framework === 'Nest') return { ...route, app: `Nest in ${projectOf(file)}`, fullPath: route.path };
  if (framework === 'Next') return { ...route, app: nextApp(side, file), fullPath: route.path };
  const made = madeIn(route);
  const mount =
    framework === 'Django'
      ? await includedIn(survey, side, file, route.router, 0)
      : await mountOf(survey, side, made.file, made.router, 0);
  return mount
    ? { ...route, app: mount.app, fullPath: joinPaths(mount.prefix, route.path) }
    : { ...route, app: `${made.file}#${made.router}`, fullPath: route.path };
}

/** The file that creates the router of a route, if an import leads to one. */
function madeIn({ side, file, router, from }: At<Route>): { file: string; router: string } {
  if (from === undefined) return { file, router };
  const isScript = /^\.{1,2}\//.test(from);
  // `shop.base.routes` is the name `routes` of the module `shop.base`.
  const stem = isScript
    ? posix.join(posix.dirname(file), from.replace(/\.[cm]?js$/, ''))
    : from.split('.').slice(0, -1).join('/');
  const endings = isScript ? ['', '.ts', '.js', '/index.ts', '/index.js'] : ['.py', '/__init__.py'];
  const found = endings
    .map((ending) => `${stem}${ending}`)
    .find((path) => side.tree.blob(path) !== undefined);
  return found === undefined
    ? { file, router }
    : { file: found, router: isScript ? router : (from.split('.').at(-1) ?? router) };
}

/** `apps/web` for `apps/web/app/users/route.ts`: a part that is built separately. */
function projectOf(file: string): string {
  return /^(?:apps|packages|services)\/[^/]+/.exec(file)?.[0] ?? '';
}

/** `apps/web` for `apps/web/src/app/users/page.tsx`. Other frameworks also have folders named `pages`. */
function nextApp(side: SurveyedBranch, file: string): string | null {
  const [, root = '', folder] = /^(?:(.*?)\/)??(?:src\/)?(app|pages)\//.exec(file) ?? [];
  const settings = ['js', 'mjs', 'cjs', 'ts'].map((ending) => posix.join(root, `next.config.${ending}`));
  const isNext = folder === 'app' || settings.some((path) => side.tree.blob(path) !== undefined);
  return isNext ? `Next in ${root}` : null;
}

/** The app that a router is mounted on, and the prefix on the way. */
async function mountOf(
  survey: Survey,
  side: SurveyedBranch,
  file: string,
  router: string,
  depth: number,
): Promise<{ app: string; prefix: string } | null> {
  const facts = await survey.data(side.tree, file);
  const own = facts?.mounts?.find(({ child, from }) => child === router && from === null);
  if (own && depth < 4) {
    const above = await mountOf(survey, side, file, own.router, depth + 1);
    return above && { app: above.app, prefix: joinPaths(above.prefix, own.prefix) };
  }
  if (
    /^(?:app|server|fastify)$/.test(router) &&
    facts?.routes?.some((each) => each.router === router && each.isOwn)
  )
    return { app: `${file}#${router}`, prefix: '' };
  const word = endOf(file);
  const routers = new Set(facts?.routes?.map((each) => each.router));
  for (const other of await survey.holding(side.tree, [word])) {
    if (other === file || !mayDefineData(other) || depth > 3) continue;
    for (const mount of (await survey.data(side.tree, other))?.mounts ?? []) {
      if (mount.from === null || !leadsTo(mount.from, word)) continue;
      // Of several routers in one file the name decides which one is meant.
      if (routers.size > 1 && !isCalled(mount, router)) continue;
      const above = (await mountOf(survey, side, other, mount.router, depth + 1)) ?? {
        app: `${other}#${mount.router}`,
        prefix: '',
      };
      return { app: above.app, prefix: joinPaths(above.prefix, mount.prefix) };
    }
  }
  return null;
}

/** The root list of Django's routes, and the prefix on the way. A list that no other includes is a root. */
async function includedIn(
  survey: Survey,
  side: SurveyedBranch,
  file: string,
  router: string,
  depth: number,
): Promise<{ app: string; prefix: string } | null> {
  if (depth > 4) return null;
  const mounts = (await survey.data(side.tree, file))?.mounts ?? [];
  const below = (mount: Mount, above: { app: string; prefix: string } | null) =>
    above && { app: above.app, prefix: joinPaths(above.prefix, mount.prefix) };
  const isList = router === 'urlpatterns';
  const own = isList ? undefined : mounts.find(({ child, from }) => child === router && from === null);
  if (own) return below(own, await includedIn(survey, side, file, own.router, depth + 1));
  const module = file.replace(/\.py$/, '').replaceAll('/', '.');
  const folder = posix.basename(posix.dirname(file));
  const word = isList ? folder : endOf(file);
  for (const other of word === '.' ? [] : await survey.holding(side.tree, [word])) {
    if (other === file || !/(?:^|\/)urls(?:\/\w+)?\.py$/.test(other)) continue;
    for (const mount of (await survey.data(side.tree, other))?.mounts ?? [])
      if (isList ? isModule(mount.from, module) : isCalled(mount, router) && isFrom(mount.from, module))
        return below(mount, await includedIn(survey, side, other, mount.router, depth + 1));
  }
  if (!isList) return null;
  return { app: `${file}#urlpatterns`, prefix: '' };
}

/** `shop.urls` is the module `src.shop.urls`. */
function isModule(from: string | null, module: string): boolean {
  return from !== null && (module === from || module.endsWith(`.${from}`));
}

/** `shop.api.router` is imported from the module `shop.api`. */
function isFrom(from: string | null, module: string): boolean {
  return from !== null && (isModule(from, module) || isModule(from.replace(/\.\w+$/, ''), module));
}

function isCalled({ child, from }: Mount, router: string): boolean {
  return child.split('.').at(-1) === router || from?.split('.').at(-1) === router;
}

/** `./routes/users.js` and `app.users.router` lead to a file named `users`. */
function leadsTo(specifier: string, word: string): boolean {
  return specifier
    .replace(/\.[cm]?[jt]sx?$/, '')
    .split(/[./]/)
    .slice(-2)
    .includes(word);
}
