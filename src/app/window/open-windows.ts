import { basename } from 'node:path';
import { thisHost } from '#app/workplace/host.ts';
import { type KnownRepository, knownRepositories } from '#app/workplace/known-repositories.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { ownVersion } from '#app/workplace/version.ts';
import { isJoineryError, UsageError } from '#schema/errors.ts';
import type { RepositoryList, RepositoryRow } from '#schema/window.ts';
import { type OpenWindow, openWindow } from './open-window.ts';
import type { RepositorySummary, Window } from './window.ts';

/** The windows of all repositories that Joinery has worked in, each opened on first use. */
export interface Windows {
  /** The window of the repository the server was started in. Throws outside a repository. */
  here(): Window;
  of(key: string): Promise<Window>;
  list(): Promise<RepositoryList>;
}

/** At most this many are listed; the others are still reachable by address. */
const mostListed = 100;

/** Opens windows for as long as `body` runs. */
export async function withWindows<T>(
  surroundings: Surroundings,
  { isOnlyHere = false }: { readonly isOnlyHere?: boolean },
  body: (windows: Windows) => Promise<T>,
): Promise<T> {
  const known = () => (isOnlyHere ? [] : knownRepositories(thisHost(surroundings.env)));
  const here = await openWindow(surroundings).catch((error: unknown) => {
    // Outside a repository a person still wants to see the other repositories.
    if (isJoineryError(error) && error.code === 'not-a-repository' && known().length > 0) return null;
    throw error;
  });
  const others = new Map<string, Promise<OpenWindow>>();
  try {
    return await body(windowsOf(surroundings, here, known, others));
  } finally {
    const opened = await Promise.allSettled(others.values());
    for (const other of opened) if (other.status === 'fulfilled') await other.value.close();
    await here?.close();
  }
}

function windowsOf(
  surroundings: Surroundings,
  here: OpenWindow | null,
  known: () => KnownRepository[],
  others: Map<string, Promise<OpenWindow>>,
): Windows {
  const openOther = ({ key, path }: KnownRepository): Promise<OpenWindow> => {
    const found = others.get(key);
    if (found) return found;
    const opened = openAt({ ...surroundings, cwd: path }, key);
    others.set(key, opened);
    // It may be readable next time.
    opened.catch(() => others.delete(key));
    return opened;
  };
  const rowOf = async (repository: KnownRepository): Promise<RepositoryRow> => {
    const { key, path, at } = repository;
    const row = {
      key,
      name: basename(path),
      path,
      isHere: key === here?.key,
      at: new Date(at).toISOString(),
    };
    try {
      const { window } = row.isHere && here ? here : await openOther(repository);
      // Opening a log also writes to it, so prefer the time of the last event.
      const summary = await window.summary();
      return { ...row, ...summary, at: summary.at ?? row.at, problem: null };
    } catch (error) {
      return { ...row, ...nothing, problem: (error as Error).message };
    }
  };
  return {
    here() {
      if (here) return here.window;
      throw new UsageError({
        code: 'no-repository-here',
        message: 'the server was not started in a repository',
        hint: 'GET /api/v1/repositories lists those it knows',
      });
    },
    async of(key) {
      if (key === here?.key) return here.window;
      const repository = known().find((each) => each.key === key);
      if (repository) return (await openOther(repository)).window;
      throw new UsageError({
        code: 'unknown-repository',
        message: `Joinery has not worked in a repository ${key}`,
        hint: 'GET /api/v1/repositories lists those it knows',
      });
    },
    async list() {
      const all = known();
      const own = here && { key: here.key, path: here.path, commonDir: '', at: Date.now() };
      const first = own && (all.find(({ key }) => key === own.key) ?? own);
      const rest = all.filter(({ key }) => key !== own?.key).slice(0, mostListed);
      return {
        schema: 'joinery/repositories@1',
        version: ownVersion(),
        repositories: await Promise.all([...(first ? [first] : []), ...rest].map(rowOf)),
      };
    },
  };
}

const nothing: Omit<RepositorySummary, 'at'> = { runs: 0, working: 0, waiting: 0, inbox: [], check: null };

async function openAt(surroundings: Surroundings, key: string): Promise<OpenWindow> {
  const opened = await openWindow(surroundings);
  if (opened.key === key) return opened;
  await opened.close();
  throw new UsageError({
    code: 'unknown-repository',
    message: `${surroundings.cwd} is another repository now`,
    hint: 'joinery ui',
  });
}
