import { posix } from 'node:path';
import type { Route } from '#code/formats/shared/data-facts.ts';
import { constraintsOf, plainPath } from '#code/formats/shared/route-path.ts';
import { methods } from './routes.ts';

/** Next derives routes from the paths of files: `app/users/[id]/route.ts`, `pages/api/users.ts`, `app/users/page.tsx`. */
export function nextRoutes(path: string, exported: readonly string[]): Route[] {
  const made = (route: string, method: string): Route => {
    // Slots are rendered side by side at one path.
    const slots = route.split('/').filter((part) => part.startsWith('@'));
    const { constraints = '' } = constraintsOf(route, true);
    const kept = [constraints, ...slots].filter((part) => part !== '').join();
    return {
      framework: 'Next',
      method,
      path: plainPath(route.replace(/(^|\/)\([^)/]*\)(?=\/|$)/g, '$1').replace(/(^|\/)@[^/]*/g, '$1')),
      ...(kept === '' ? {} : { constraints: kept }),
      router: 'files',
      isOwn: true,
      ends: true,
      line: 1,
    };
  };
  // `_lib` is private, `(.)photo` is shown in place of another page.
  if (/(?:^|\/)(?:_[^/]*|\(\.{1,3}\)[^/]*)\//.test(path)) return [];
  const { dir, name, ext } = posix.parse(path);
  if (!/^\.[cm]?[jt]sx?$/.test(ext)) return [];
  const inApp = below('app', dir);
  if (inApp !== null && name === 'route')
    return exported.filter((each) => methods.has(each.toLowerCase())).map((each) => made(inApp, each));
  if (inApp !== null && name === 'page') return [made(inApp, 'PAGE')];
  const inPages = below('pages', dir);
  if (inPages === null || !exported.includes('default') || /^_\w+$|\.(?:test|spec|d)$/.test(name)) return [];
  const old = posix.join(inPages, name);
  return [made(old.replace(/(^|\/)index$/, ''), /^api(?:\/|$)/.test(old) ? 'ALL' : 'PAGE')];
}

/** The rest of a path below the first folder of that name: `users/[id]` of `src/app/users/[id]`; null if it is in none. */
function below(folder: string, path: string): string | null {
  const parts = path.split('/');
  const at = parts.indexOf(folder);
  return at === -1 ? null : parts.slice(at + 1).join('/');
}

export function isNextFile(path: string): boolean {
  const name = posix.basename(path);
  return /^(?:route|page)\.[cm]?[jt]sx?$/.test(name) || /(?:^|\/)pages\//.test(path);
}
