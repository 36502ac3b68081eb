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
  const [, handler] = /(?:^|\/)app\/(.*?)\/?route\.[cm]?[jt]sx?$/.exec(path) ?? [];
  if (handler !== undefined)
    return exported.filter((name) => methods.has(name.toLowerCase())).map((name) => made(handler, name));
  const [, page] = /(?:^|\/)app\/(.*?)\/?page\.[cm]?[jt]sx?$/.exec(path) ?? [];
  if (page !== undefined) return [made(page, 'PAGE')];
  const [, old] = /(?:^|\/)pages\/(.*)\.[cm]?[jt]sx?$/.exec(path) ?? [];
  if (old === undefined || !exported.includes('default') || /(?:^|\/)_\w+$|\.(?:test|spec|d)$/.test(old))
    return [];
  return [made(old.replace(/(^|\/)index$/, ''), /^api(?:\/|$)/.test(old) ? 'ALL' : 'PAGE')];
}

export function isNextFile(path: string): boolean {
  const name = posix.basename(path);
  return /^(?:route|page)\.[cm]?[jt]sx?$/.test(name) || /(?:^|\/)pages\//.test(path);
}
