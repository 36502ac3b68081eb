import { type MouseEvent, useSyncExternalStore } from 'react';

const watchers = new Set<() => void>();

function tell(): void {
  for (const watcher of watchers) watcher();
}

if (typeof window !== 'undefined') window.addEventListener('popstate', tell);

export function go(path: string): void {
  if (path === location.pathname + location.search) return;
  history.pushState(null, '', path);
  tell();
  document.querySelector('main')?.scrollTo(0, 0);
  window.scrollTo(0, 0);
}

/** The address in parts: '/run/abc/task/x' → ['run', 'abc', 'task', 'x']. */
export function useRoute(): { parts: readonly string[]; query: URLSearchParams } {
  const address = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => location.pathname + location.search,
  );
  const url = new URL(address, 'http://here');
  return {
    parts: url.pathname.split('/').filter(Boolean).map(decodeURIComponent),
    query: url.searchParams,
  };
}

/** For links: stays inside the page unless the person wants a new tab. */
export function follow(path: string) {
  return {
    href: path,
    onClick(event: MouseEvent) {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      go(path);
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
