import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Git } from '#git/call/git.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { diffTrees } from '#git/trees/tree.ts';
import { benchFolder } from '../../corpora.ts';
import type { Trial } from '../oracles/index.ts';
import { Remembered } from '../oracles/remembered.ts';
import { moduleOf } from './edit.ts';
import type { PythonProject } from './project.ts';

const runner = fileURLToPath(new URL('./run-modules.py', import.meta.url));

interface Job {
  readonly tree: string;
  readonly modules: readonly string[];
}

/** Runs B's additions with A and alone; A's own modules must load, and its twin must change nothing. */
export async function judgePython(
  git: Git,
  project: PythonProject,
  trials: readonly Trial[],
  base: string,
): Promise<(string | null)[]> {
  const all = trials.map((trial) => jobsOf(project, trial));
  const seen = await observe(
    git,
    project,
    base,
    all.flatMap((jobs) => (jobs === null ? [] : Object.values(jobs))),
  );
  return all.map((jobs) =>
    jobs === null ? 'the text does not merge' : verdictOf(jobs, (job) => seen.get(keyOf(job))),
  );
}

type Jobs = Readonly<Record<'a' | 'b' | 'union' | 'twinA' | 'twinB' | 'twinUnion', Job>>;

function jobsOf(project: PythonProject, { candidate, conflict, twin }: Trial): Jobs | null {
  if (conflict.merge.status !== 'clean' || twin.merge.status !== 'clean') return null;
  const changed = [...candidate.a].flatMap(([path, text]) => (text === null ? [] : [moduleOf(path)]));
  const consumer = [moduleOf(candidate.consumerFile)];
  const other = [...candidate.twin.a].flatMap(([path, text]) => (text === null ? [] : [moduleOf(path)]));
  return {
    a: { tree: conflict.a, modules: [project.top, ...changed] },
    b: { tree: conflict.b, modules: consumer },
    union: { tree: conflict.merge.tree, modules: consumer },
    twinA: { tree: twin.a, modules: [project.top, ...other] },
    twinB: { tree: twin.b, modules: consumer },
    twinUnion: { tree: twin.merge.tree, modules: consumer },
  };
}

function verdictOf(jobs: Jobs, see: (job: Job) => string | null | undefined): string | null {
  const { a, b, union, twinA, twinB, twinUnion } = jobs;
  for (const side of [a, b, twinA, twinB]) {
    const said = see(side);
    if (!said) return 'running it came to no end';
    const broken = /does not load: (.*)/.exec(said)?.[1];
    if (broken) return `a side alone does not load: ${broken.slice(0, 120)}`;
  }
  if (!see(union) || !see(twinUnion)) return 'running it came to no end';
  if (see(union) === see(b)) return 'the union does what B does alone';
  return see(twinUnion) === see(twinB) ? null : 'the twin does not do what its B does alone';
}

function keyOf({ tree, modules }: Job): string {
  return `${tree} ${modules.join(' ')}`;
}

/** What modules of trees do when they are loaded and called, by key of the job; null if a job did not finish. */
async function observe(
  git: Git,
  project: PythonProject,
  base: string,
  jobs: readonly Job[],
): Promise<Map<string, string | null>> {
  const remembered = new Remembered([project.name, project.version, readFileSync(runner, 'utf8')]);
  const seen = new Map<string, string | null>();
  const open: Job[] = [];
  for (const job of new Map(jobs.map((each) => [keyOf(each), each])).values()) {
    const known = remembered.read<{ said: string | null }>([keyOf(job)]);
    if (known) seen.set(keyOf(job), known.said);
    else open.push(job);
  }
  const overlays = await overlaysOf(
    git,
    base,
    open.map(({ tree }) => tree),
  );
  const jobsToRun = open.map(({ tree, modules }) => ({ overlay: overlays.get(tree) ?? {}, modules }));
  const said =
    open.length === 0 ? [] : await run({ base: Object.fromEntries(project.files), jobs: jobsToRun });
  for (const [at, job] of open.entries()) {
    seen.set(keyOf(job), said[at] ?? null);
    remembered.write([keyOf(job)], { said: said[at] ?? null });
  }
  return seen;
}

type Overlay = Readonly<Record<string, string | null>>;

/** How trees differ from the project: new texts by path, null for deleted files. */
async function overlaysOf(git: Git, base: string, trees: readonly string[]): Promise<Map<string, Overlay>> {
  const distinct = [...new Set(trees)];
  const changes = await diffTrees(
    git,
    distinct.map((tree) => [base, tree] as const),
    { renames: false },
  );
  const ids = new Set(changes.flat().flatMap(({ after }) => (after ? [after.id] : [])));
  const objects = new ObjectReader(git);
  const texts = new Map<string, string>();
  try {
    for (const id of ids) texts.set(id, (await objects.content(id))?.toString('utf8') ?? '');
  } finally {
    objects.close();
  }
  return new Map(
    distinct.map((tree, at) => [
      tree,
      Object.fromEntries(
        (changes[at] ?? []).map(({ path, after }) => [path, after ? (texts.get(after.id) ?? '') : null]),
      ),
    ]),
  );
}

function run(given: {
  readonly base: Overlay;
  readonly jobs: readonly { readonly overlay: Overlay; readonly modules: readonly string[] }[];
}): Promise<(string | null)[]> {
  // The called code may write files, so it runs in a temporary folder.
  const work = mkdtempSync(join(tmpdir(), 'joinery-python-'));
  const child = spawn('python3', ['-I', '-S', runner, benchFolder('python-code')], {
    cwd: work,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.stdin.end(JSON.stringify(given));
  return new Promise<(string | null)[]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(JSON.parse(Buffer.concat(parts).toString('utf8')) as (string | null)[])
        : reject(new Error(`the Python oracle ended with ${code}`)),
    );
  }).finally(() => rmSync(work, { recursive: true, force: true }));
}
