import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNpm } from '#bin/bootstrap.js';
import type { Git } from '#git/call/git.ts';
import type { Candidate, Sides } from '../operator.ts';
import type { Meeting, Trial } from '../oracles/index.ts';
import { textIn } from '../oracles/text.ts';
import { twoAtATime } from '../two-at-a-time.ts';
import type { CoherenceGround } from './ground.ts';

const timeLimitMs = 30_000;
const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
/** Where npm's resolver can be required from: the pinned Node of the bench comes without npm. */
const npmFolder = join(dirname(findNpm() ?? ''), '../package.json');
/** The first one that has what the probes import: resolvelib and packaging (Debian's python3-resolvelib), pytest. */
const pythons = ['python3', '/usr/bin/python3'];

export type Files = ReadonlyMap<string, string>;

/** For each trial why it does not count; null if sides, text and probe agree on the conflict and on its twin. */
export async function judgeCoherence(
  git: Git,
  _project: CoherenceGround,
  trials: readonly Trial[],
): Promise<(string | null)[]> {
  const registry = await openRegistry();
  try {
    return await twoAtATime(trials, (trial) => judgeTrial(git, trial, registry.url));
  } finally {
    registry.close();
  }
}

async function judgeTrial(
  git: Git,
  { candidate, conflict, twin }: Trial,
  registry: string,
): Promise<string | null> {
  if (conflict.merge.status !== 'clean' || twin.merge.status !== 'clean') return 'the text does not merge';
  const { probe } = candidate;
  // Correct by construction: a copy, a second name, a third branch.
  if (!probe) return null;
  const works = async (files: Files) => runProbe(probe, files, registry);
  const own = await stagesOf(git, candidate, candidate, conflict);
  const others = await stagesOf(git, candidate, candidate.twin, twin);
  const isSingle = candidate.guilty?.length === 1;
  if (!isSingle && !((await works(own.a)) && (await works(own.b)))) return 'a side alone fails';
  if (await works(own.union)) return 'the union works';
  if (!((await works(others.a)) && (await works(others.b)))) return 'a side of the twin fails';
  return (await works(others.union)) ? null : 'the twin fails';
}

/** The seeded files of both sides and of their union: the rest of the project is irrelevant. */
export async function stagesOf(
  git: Git,
  { base = new Map() }: Candidate,
  { a, b }: Sides,
  { merge }: Meeting,
): Promise<Record<'a' | 'b' | 'union', Files>> {
  const applied = (...edits: readonly Sides['a'][]) => {
    const files = new Map<string, string>(base);
    for (const [path, text] of edits.flatMap((each) => [...each]))
      if (text === null) files.delete(path);
      else files.set(path, text);
    return files;
  };
  const union = applied(a, b);
  const tree = merge.status === 'failed' ? '' : merge.tree;
  for (const path of a.keys()) if (b.has(path)) union.set(path, await textIn(git, tree, path));
  return { a: applied(a), b: applied(b), union };
}

let found: string | undefined;

function interpreter(): string {
  found ??= pythons.find(
    (each) => spawnSync(each, ['-c', 'import packaging, pytest, resolvelib, tomllib']).status === 0,
  );
  if (found === undefined) throw new Error('no Python has resolvelib, packaging and pytest');
  return found;
}

async function runProbe(
  { run, script }: NonNullable<Candidate['probe']>,
  files: Files,
  registry: string,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-probe-'));
  try {
    const name = run === 'node' ? 'joinery-probe.mjs' : 'joinery_probe.py';
    for (const [path, text] of [...files, [name, script] as const]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const child = spawn(run === 'node' ? process.execPath : interpreter(), [name], {
      cwd: folder,
      stdio: 'ignore',
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
      env: {
        ...process.env,
        REGISTRY: registry,
        NPM: npmFolder,
        TSC: compiler,
        NODE_NO_WARNINGS: '1',
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONPATH: folder,
      },
    });
    return await new Promise<boolean>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code === 0));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A registry on loopback that has every package in four versions: resolving needs no more. */
async function openRegistry(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1));
    const versions = ['1.0.0', '1.5.0', '2.0.0', '3.0.0'].map((version) => [
      version,
      { name, version, dist: { tarball: `http://127.0.0.1/${name}-${version}.tgz`, shasum: '0'.repeat(40) } },
    ]);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: '3.0.0' }, versions: Object.fromEntries(versions) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
