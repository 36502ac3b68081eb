import { clearCache, measureCache } from '#app/setup/cache-folder.ts';
import { thisHost } from '#app/workplace/host.ts';
import type { Run } from '#cli/args/invocation.ts';
import { formatBytes } from '#report/text/bytes.ts';
import type { CacheReport } from '#schema/command-reports.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { cacheDir } from '#schema/paths.ts';
import type { cacheTable } from './cache.table.ts';

export const run: Run<typeof cacheTable> = async ({ positionals: [action], globals, env, terminal }) => {
  const report = act(action as CacheReport['action'], cacheDir(thisHost(env)));
  if (globals.json) terminal.printJson(report);
  else terminal.print(describe(report));
  return exitCodes.ok;
};

function act(action: CacheReport['action'], path: string): CacheReport {
  const report = { schema: 'joinery/cache@1', action, path } as const;
  switch (action) {
    case 'path':
      return report;
    case 'size': {
      const entries = measureCache(path);
      return { ...report, bytes: total(entries), entries };
    }
    case 'clear': {
      const freed = total(clearCache(path));
      return { ...report, bytes: total(measureCache(path)), freed };
    }
  }
}

function total(entries: readonly { readonly bytes: number }[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

function describe({ action, path, bytes = 0, freed = 0, entries = [] }: CacheReport): string {
  switch (action) {
    case 'path':
      return path;
    case 'size':
      return [
        `${formatBytes(bytes)}  ${path}`,
        ...entries.map((entry) => `  ${formatBytes(entry.bytes).padStart(9)}  ${entry.name}`),
      ].join('\n');
    case 'clear': {
      const kept = bytes > 0 ? `; ${formatBytes(bytes)} in use could not be deleted` : '';
      return `Freed ${formatBytes(freed)} in ${path}${kept}`;
    }
  }
}
