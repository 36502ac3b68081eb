import { type MouseEvent, useSyncExternalStore } from 'react';

const watchers = new Set<() => void>();

function tell(): void {
  for (const watcher of watchers) watcher();
}

if (typeof window !== 'undefined') window.addEventListener('popstate', tell);

/** Decodes a part of an address. An invalid encoding (`%zz`) stays as it is: the address is then reported as unknown. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The current repository as addresses name it; null: the one the server was started in. */
export function repositoryInSight(): string | null {
  const found = /^\/repo\/([^/]+)/.exec(location.pathname)?.[1];
  return found === undefined ? null : decoded(found);
}

/** The address of a page of a repository. For the current repository it need not be named. */
function addressOf(path: string, repository: string | null = repositoryInSight()): string {
  return repository === null ? path : `/repo/${encodeURIComponent(repository)}${path === '/' ? '' : path}`;
}

export function go(path: string, repository?: string | null): void {
  const address = addressOf(path, repository);
  if (address === location.pathname + location.search) return;
  history.pushState(null, '', address);
  tell();
  document.querySelector('main')?.scrollTo(0, 0);
  window.scrollTo(0, 0);
}

interface Route {
  readonly repository: string | null;
  /** Parts of the page's address: '/run/abc/task/x' → ['run', 'abc', 'task', 'x']. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export function useRoute(): Route {
  const address = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => location.pathname + location.search,
  );
  const url = new URL(address, 'http://here');
  const parts = url.pathname.split('/').filter(Boolean).map(decoded);
  const repository = repositoryInSight();
  return { repository, parts: repository === null ? parts : parts.slice(2), query: url.searchParams };
}

/** For links: navigates inside the page unless the person wants a new tab. */
export function follow(path: string, repository?: string | null) {
  return {
    href: addressOf(path, repository),
    onClick(event: MouseEvent) {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      go(path, repository);
    },
  };
}

export const pathTo = {
  run: (run: string) => `/run/${encodeURIComponent(run)}`,
  town: (run: string) => `/town/${encodeURIComponent(run)}`,
  workflow: (run: string) => `/workflow/${encodeURIComponent(run)}`,
  task: (run: string, task: string) => `/run/${encodeURIComponent(run)}/task/${encodeURIComponent(task)}`,
  finding: (id: string) => `/seams?finding=${encodeURIComponent(id)}`,
};
