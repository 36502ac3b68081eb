import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stateOf } from '#app/workplace/state-of.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { readRef } from '#git/merges/branches.ts';
import { GitTree } from '#git/trees/tree.ts';
import { isExpired } from '#review/memory/memories-of.ts';
import { MemoryStore, mostRecalled } from '#review/memory/memory-store.ts';
import { UsageError } from '#schema/errors.ts';
import type { Memory, MemoryReport } from '#schema/memory.ts';

type Here = Pick<Surroundings, 'cwd' | 'env'>;

function memoryFile(repository: Repository, env: NodeJS.ProcessEnv): string {
  return join(stateOf(env, repository.commonDir), 'memory.db');
}

export async function searchMemoryHere(here: Here, words: string): Promise<MemoryReport> {
  return withMemory(here, async (store, repository) => {
    const blobOf = await blobsAtHead(repository);
    return report('search', store.search(words, mostRecalled), blobOf);
  });
}

export async function addMemoryHere(
  here: Here,
  text: string,
  file: string | undefined,
): Promise<MemoryReport> {
  return withMemory(here, async (store, repository) => {
    const blobOf = await blobsAtHead(repository);
    const blob = file === undefined ? null : blobOf(file);
    if (file !== undefined && blob === null) {
      throw new UsageError({
        code: 'unknown-file',
        message: `${file} is not in HEAD`,
        hint: 'name a committed file from the top of the repository, or leave --file out',
      });
    }
    const at = new Date().toISOString();
    return report('add', store.add([{ kind: 'learning', text, file: file ?? null, blob, at }]), blobOf);
  });
}

export async function forgetMemoryHere(here: Here, id: string): Promise<MemoryReport> {
  return withMemory(here, async (store, repository) => {
    const gone = store.forget(id);
    if (gone) return report('forget', [gone], await blobsAtHead(repository));
    throw new UsageError({
      code: 'unknown-memory',
      message: `there is no memory ${JSON.stringify(id)}`,
      hint: 'joinery memory search <words> lists ids',
    });
  });
}

async function withMemory<T>(
  { cwd, env }: Here,
  body: (store: MemoryStore, repository: Repository) => Promise<T>,
): Promise<T> {
  const repository = await openRepository(cwd);
  const store = new MemoryStore(memoryFile(repository, env));
  try {
    return await body(store, repository);
  } finally {
    store.close();
  }
}

async function blobsAtHead(repository: Repository): Promise<(path: string) => string | null> {
  const head = await readRef(repository.git, 'HEAD');
  const tree = head === null ? null : await GitTree.read(repository.git, head);
  return (path) => tree?.blob(path) ?? null;
}

function report(
  action: MemoryReport['action'],
  memories: readonly Memory[],
  blobOf: (path: string) => string | null,
): MemoryReport {
  return {
    schema: 'joinery/memory@1',
    action,
    memories: memories.map((memory) => ({ ...memory, isExpired: isExpired(memory, blobOf) })),
  };
}

/** Runs a body with the memory of a repository; a review creates the memory if there is none. */
export function openMemory(
  repository: Repository,
  env: NodeJS.ProcessEnv,
  creates: boolean,
): MemoryStore | null {
  const file = memoryFile(repository, env);
  return creates || existsSync(file) ? new MemoryStore(file) : null;
}
