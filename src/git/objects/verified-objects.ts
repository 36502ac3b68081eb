import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { damaged, ObjectReader } from './object-reader.ts';
import { createScratch, type Scratch } from './scratch.ts';

/**
 * A separate object store with only the commits a verdict depends on. Every object in it was named by its content, so an object that was
 * replaced in the repository, before or while agents work there, cannot get in under the id of the original.
 */
export interface VerifiedObjects extends Scratch {
  /** Copies a commit into the repository, with all objects that the `known` commits do not have. */
  publish(commit: string, known: readonly string[]): Promise<void>;
}

/** `tips`: commits built on the base or on its history; copied with all commits in between. */
export async function openVerifiedObjects(
  repository: Repository,
  /** Its writes must be durable. */
  git: Git,
  parent: string,
  base: string,
  tips: readonly string[] = [],
): Promise<VerifiedObjects> {
  const scratch = await createScratch(repository, parent, { isBorrowing: false });
  try {
    const further = tips.filter((tip) => tip !== base);
    const edge = [base, ...(await edgeOf(git, base, further))];
    // Their parents are not copied.
    writeFileSync(join(scratch.dir, 'shallow'), `${edge.join('\n')}\n`);
    const own = await git.run(['rev-list', '--objects', '--no-walk', ...edge]);
    const above =
      further.length === 0
        ? ''
        : (await git.run(['rev-list', '--objects', ...further, '--not', base])).stdout;
    const list = Buffer.concat([own.stdout, Buffer.from(above)]);
    await copyObjects(git, scratch.git, list, ['index-pack', '--stdin']);
    await assertWhole(scratch.git, [base, ...further]);
  } catch (error) {
    await scratch.remove();
    throw error;
  }
  return {
    ...scratch,
    publish: (commit, known) => publish(scratch.git, git, commit, known),
  };
}

/** Copies a commit with the objects that the `known` commits do not have. */
export async function publish(from: Git, to: Git, commit: string, known: readonly string[]): Promise<void> {
  const { stdout } = await from.run(['rev-list', '--objects', commit, '--not', ...known]);
  await copyObjects(from, to, stdout, ['unpack-objects', '-q']);
  await assertGenuine(to, stdout);
}

/** Commits of base's history that tips were built on, besides the base itself: a target that moved may have merged older work. */
async function edgeOf(git: Git, base: string, tips: readonly string[]): Promise<string[]> {
  if (tips.length === 0) return [];
  const lines = await git.text(['rev-list', '--boundary', ...tips, '--not', base]);
  const edge = lines.split('\n').flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : []));
  return edge.filter((commit) => commit !== base);
}

/** The receiver names each object by its content. `list`: lines that start with an id. */
async function copyObjects(from: Git, to: Git, list: Buffer, receive: readonly string[]): Promise<void> {
  if (list.length === 0) return;
  const sender = from.spawn(['pack-objects', '--stdout', '-q', '--delta-base-offset', '--window=0']);
  const receiver = spawnOrEnd(() => to.spawn(receive), sender);
  const ends = Promise.all([ended(sender, 'pack-objects'), ended(receiver, receive[0] ?? '')]);
  receiver.stdout.resume();
  for (const pipe of [sender.stdin, receiver.stdin]) pipe.on('error', () => {});
  sender.stdout.pipe(receiver.stdin);
  sender.stdin.end(list);
  await ends;
}

type Child = ReturnType<Git['spawn']>;

/** Ends the other process when this one cannot be started: it would wait forever. */
function spawnOrEnd(start: () => Child, other: Child): Child {
  try {
    return start();
  } catch (error) {
    other.kill('SIGKILL');
    throw error;
  }
}

function ended(child: Child, name: string): Promise<void> {
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(GitError.notStarted(cause)));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(GitError.fromRun([name], { code: code ?? 128, stderr: stderr.trim() }));
    });
  });
}

/** Fails when objects are missing: a replaced object was stored under the id of its real content, so the original id is missing. */
async function assertWhole(git: Git, commits: readonly string[]): Promise<void> {
  const { code, stderr } = await git.run(['rev-list', '--objects', '--quiet', ...commits], {
    accept: [0, 1, 128],
  });
  if (code === 0) return;
  const id = /[0-9a-f]{40,64}/.exec(stderr)?.[0];
  throw id === undefined ? GitError.fromRun(['rev-list'], { code, stderr }) : damaged(id);
}

/** `unpack-objects` skips objects that already exist, so these are compared with their ids. */
async function assertGenuine(git: Git, list: Buffer): Promise<void> {
  const objects = new ObjectReader(git);
  try {
    const ids = list.toString('latin1').match(/^[0-9a-f]{40,64}/gm) ?? [];
    for (const id of ids) if ((await objects.content(id)) === null) throw damaged(id);
  } finally {
    objects.close();
  }
}
