/** A folder that only exists inside: how a program of the work is recognized there. It cannot be removed. */
export const boxMark = '/.joinery-work';

/** What a program of the work may touch. What is not named here does not exist for it. */
export interface Box {
  /** The folder of the work. */
  readonly tree: string;
  /** False: the work may only be read. */
  readonly isTreeWritable: boolean;
  /** Further folders and files: temporary ones, caches of the task, the login of an agent. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** Folders that stay hidden even where the system's are shown. */
  readonly hidden: readonly string[];
  readonly network: boolean;
}

type More = Partial<Omit<Box, 'tree'>>;

/** The box of a program that works in a tree: it writes there and in the folders of its task, and has no network. */
export function workBox(
  tree: string,
  env: Readonly<Record<string, string | undefined>>,
  more: More = {},
): Box {
  return {
    tree,
    isTreeWritable: more.isTreeWritable ?? true,
    writable: [...foldersOfTask(env), ...(more.writable ?? [])],
    readable: [...filesOfTask(env), ...(lent.get(tree) ?? []), ...(more.readable ?? [])],
    hidden: more.hidden ?? [],
    network: more.network ?? false,
  };
}

/** A variable that differs from ours was set for the task: the person's own temporary folder holds things of others. */
function ofTask(env: Readonly<Record<string, string | undefined>>, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const path = env[name];
    return path !== undefined && path !== process.env[name] ? [path] : [];
  });
}

function foldersOfTask(env: Readonly<Record<string, string | undefined>>): string[] {
  return ofTask(env, ['TMPDIR', 'XDG_CACHE_HOME']);
}

function filesOfTask(env: Readonly<Record<string, string | undefined>>): string[] {
  return ofTask(env, ['GIT_CONFIG_GLOBAL', 'JOINERY_WORK']);
}

const lent = new Map<string, string[]>();

/** Shows a folder of the main checkout to programs in a tree: dependencies that were linked instead of copied. */
export function lend(tree: string, folder: string): void {
  lent.set(tree, [...(lent.get(tree) ?? []), folder]);
}
