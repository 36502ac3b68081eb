import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AgentDriver } from '#agents/driver.ts';
import { landPhase } from '#app/runs/land-phase.ts';
import { configDefaults } from '#config/defaults.ts';
import { createRun } from '#crew/run-plan.ts';
import type { RunState } from '#crew/state/state.ts';
import { exampleHandoff } from '#schema/handoff.ts';
import type { Task } from '#schema/plan.ts';
import { defaultSettings } from '#schema/run.ts';
import { openBench } from '#test/support/engine-bench.ts';
import { type EngineRepo, makeRepo } from '#test/support/engine-repo.ts';
import { chance } from '#test/support/seed.ts';

/** One task of a random plan. Adding tasks call functions of modules, renaming tasks rename a function. */
type Job =
  | {
      readonly id: string;
      readonly does: 'add';
      readonly uses: readonly number[];
      readonly isStubborn: boolean;
    }
  | { readonly id: string; readonly does: 'rename'; readonly module: number };

interface World {
  readonly modules: number;
  readonly jobs: readonly Job[];
  /** When each agent starts to write. */
  readonly delays: ReadonlyMap<string, number>;
}

const guarantee = 'random plans with planted clashes';
const draw = chance(guarantee, { normal: 10, wide: 20, soak: 200 });
const below = (count: number) => Math.floor(draw.next() * count);

/** At most one adding task calls each module, so that a stubborn one can spoil only one renaming task. */
function drawWorld(): World {
  const modules = 2;
  const renamed = Array.from({ length: modules }, (_, n) => n).filter(() => draw.next() < 0.7);
  const adding = 1 + below(2);
  const users = Array.from({ length: modules }, () => below(adding + 1));
  const jobs: Job[] = [
    ...Array.from({ length: adding }, (_, n): Job => {
      const uses = users.flatMap((user, module) => (user === n ? [module] : []));
      return { id: `add${n}`, does: 'add', uses, isStubborn: draw.next() < 0.25 };
    }),
    ...renamed.map((module): Job => ({ id: `rename${module}`, does: 'rename', module })),
  ];
  return { modules, jobs, delays: new Map(jobs.map(({ id }) => [id, below(3) * 300])) };
}

const nameOf = (module: number, isRenamed: boolean) => `${isRenamed ? 'take' : 'get'}${module}`;
const moduleText = (module: number, isRenamed: boolean) =>
  `export function ${nameOf(module, isRenamed)}(id: number): number {\n  return id + ${module};\n}\n`;
const userText = (module: number, isRenamed: boolean) => {
  const name = nameOf(module, isRenamed);
  return `import { ${name} } from './module${module}.ts';\n\nexport const old${module} = ${name}(1);\n`;
};
const addedText = (id: string, uses: readonly number[], told: ReadonlySet<number>) => {
  const names = uses.map((module) => ({ module, name: nameOf(module, told.has(module)) }));
  return [
    ...names.map(({ module, name }) => `import { ${name} } from './module${module}.ts';`),
    '',
    `export function ${id}(): number {`,
    `  return ${['1', ...names.map(({ name }) => `${name}(2)`)].join(' + ')};`,
    '}',
    '',
  ].join('\n');
};

const testOf = (id: string) =>
  `import { ${id} } from './${id}.ts';\n\ntest('${id}', () => {\n  expect(${id}()).toBeGreaterThan(0);\n});\n`;

const filesOf = (job: Job) =>
  job.does === 'add'
    ? [`src/${job.id}.ts`, `src/${job.id}.test.ts`]
    : [`src/module${job.module}.ts`, `src/use${job.module}.ts`];

/** Does what its task says, and reacts to reports unless it is stubborn. Reworks are named after their task. */
function crewOf({ jobs, delays }: World): AgentDriver {
  const told = new Map<string, Set<number>>();
  return {
    name: 'scripted',
    variables: [],
    async play(request, doors) {
      const { run, task, attempt, role, prompt, cwd, signal } = request;
      const roots = jobs.filter(
        ({ id }) => task === id || prompt.includes(`src/${id}.ts`) || task.startsWith(`${id}-`),
      );
      const mine = roots.find(({ id }) => task === id || task.startsWith(`${id}-`));
      const write = (path: string, text: string) => writeFileSync(join(cwd, path), text);
      if (mine?.id === task) await wait(delays.get(task) ?? 0, undefined, { signal });
      const files: string[] = [];
      for (const job of task === mine?.id ? [mine] : roots) {
        if (job.does === 'rename') {
          if (job.id !== task) continue;
          write(`src/module${job.module}.ts`, moduleText(job.module, true));
          write(`src/use${job.module}.ts`, userText(job.module, true));
        } else {
          const known = told.get(job.id) ?? new Set<number>();
          told.set(job.id, known);
          const listen = (text: string) => {
            for (const module of job.uses) if (text.includes(`take${module}`)) known.add(module);
          };
          const text = () => addedText(job.id, job.uses, known);
          if (!job.isStubborn) listen(prompt);
          write(`src/${job.id}.test.ts`, testOf(job.id));
          write(
            `src/${job.id}.ts`,
            job.isStubborn && attempt > 1 ? `${text()}// again ${attempt}\n` : text(),
          );
          if (job.isStubborn && task !== job.id)
            write(`src/${job.id}.ts`, `${readFileSync(join(cwd, `src/${job.id}.ts`), 'utf8')}// ${task}\n`);
        }
        files.push(...filesOf(job));
      }
      const handoff = () => ({
        ...exampleHandoff(run, task, attempt, role),
        decisions: [],
        assumptions: [],
        files,
      });
      const answer = doors.submit(handoff());
      if (!answer.accepted) {
        if (mine?.does === 'add' && !mine.isStubborn) {
          const known = told.get(mine.id) ?? new Set();
          for (const module of mine.uses) if (answer.text.includes(`take${module}`)) known.add(module);
          write(`src/${mine.id}.ts`, addedText(mine.id, mine.uses, known));
        }
        doors.submit(handoff());
      }
      return { outcome: 'ok', reason: '' };
    },
  };
}

/** Runs the plan; what fits lands, if necessary without the rest. */
async function play(world: World): Promise<{ repo: EngineRepo; state: RunState; landed: string[] }> {
  const files = Array.from({ length: world.modules }, (_, module) => [
    [`src/module${module}.ts`, moduleText(module, false)],
    [`src/use${module}.ts`, userText(module, false)],
  ]);
  const repo = makeRepo(Object.fromEntries(files.flat()));
  const crew = crewOf(world);
  const bench = await openBench(repo, { attempts: [] }, { driver: () => crew });
  const { repository, workshop, runs } = bench;
  const tasks = world.jobs.map(
    (job): Task => ({
      id: job.id,
      title: `Do ${job.id}`,
      description: '',
      dependsOn: [],
      files: filesOf(job),
      acceptance: [],
    }),
  );
  const base = repo.git('rev-parse', 'main');
  const settings = {
    ...defaultSettings,
    autonomy: 'autopilot',
    land: 'always',
    mayUpdateCheckout: true,
    unproven: 'person:test',
  } as const;
  const plan = { schema: 'joinery/plan@1' as const, tasks };
  const run = createRun(workshop, { plan, target: 'main', base, baseRef: 'main', settings });
  const env = {
    ...process.env,
    JOINERY_STATE_DIR: repo.stateDir,
    JOINERY_CACHE_DIR: `${repo.stateDir}-cache`,
  };
  const here = { env, terminal: { warn() {}, progress() {} }, onInterrupt: () => () => {} };
  const phases = {
    plan: async () => {},
    land: landPhase(here, { repository, config: configDefaults }, null),
  };
  let state = await bench.drive(run, { phases, stop: AbortSignal.timeout(900_000) });
  if (state.status !== 'done') {
    const payload = { mayUpdateCheckout: true, isPartial: true, unproven: 'person:test' };
    runs.engine.signal(run, { id: 'land', name: 'land', payload });
    state = await bench.drive(run, { phases });
  }
  bench.close();
  const merged = state.landed === null ? [] : (state.integrations.at(-1)?.report.merged ?? []);
  const branches = new Set(merged.map(({ ref }) => ref));
  const landed = [...state.steps.values()]
    .filter(({ branch }) => branches.has(branch))
    .map(({ task }) => task.id);
  return { repo, state, landed };
}

/** What landed, from a clean checkout: many git calls for one plan would take longer than the rest. */
function landedTexts(repo: EngineRepo): Map<string, string> {
  expect(repo.git('status', '--porcelain')).toBe('');
  const paths = repo.git('ls-files').split('\n');
  return new Map(paths.map((path) => [path, readFileSync(join(repo.dir, path), 'utf8')]));
}

/** Reads the text without Joinery: calls of functions that their module does not have. */
function brokenCalls(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([path, text]) =>
    [...text.matchAll(/import \{ (\w+) \} from '\.\/(module\d+\.ts)'/g)].flatMap(([, name, module]) =>
      texts.get(`src/${module}`)?.includes(`function ${name}(`) ? [] : [`${path}: ${name} of ${module}`],
    ),
  );
}

test('nothing incoherent lands, everything coherent does, no addition of a branch is lost', async () => {
  for (let n = 0; n < draw.count; n++) {
    const world = drawWorld();
    const { repo, state, landed } = await play(world);
    const about = JSON.stringify({
      n,
      jobs: world.jobs,
      delays: [...world.delays],
      landed,
      reason: state.reason,
    });
    const texts = landedTexts(repo);
    expect(brokenCalls(texts), about).toEqual([]);
    const spoiled = new Set(
      world.jobs.flatMap((job) =>
        job.does === 'add' && job.isStubborn
          ? [job.id, ...job.uses.map((module) => `rename${module}`)].filter(
              (_, index, all) =>
                index > 0 || all.slice(1).some((id) => world.jobs.some((each) => each.id === id)),
            )
          : [],
      ),
    );
    for (const job of world.jobs) {
      if (!spoiled.has(job.id)) expect(landed, about).toContain(job.id);
      if (!landed.includes(job.id)) continue;
      const text = filesOf(job)
        .map((path) => texts.get(path))
        .join('\n');
      const own = job.does === 'add' ? `function ${job.id}(` : `function take${job.module}(`;
      expect(text, about).toContain(own);
    }
    // Of two that do not fit, one lands.
    for (const id of spoiled) {
      const job = world.jobs.find((each) => each.id === id);
      if (job?.does !== 'add') continue;
      const rivals = job.uses
        .map((module) => `rename${module}`)
        .filter((each) => world.jobs.some((other) => other.id === each));
      expect(
        [id, ...rivals].some((each) => landed.includes(each)),
        about,
      ).toBe(true);
    }
    repo.remove();
  }
}, 3_600_000);
