import { createRun } from '#crew/run-plan.ts';
import { openRunStore } from '#crew/run-store.ts';
import { workshopFor } from '#crew/workshop.ts';
import { openRepository } from '#git/call/repository.ts';
import type { EventDraft } from '#schema/event.ts';
import { Plan } from '#schema/plan.ts';
import { Provisioning } from '#schema/provisioning.ts';
import { defaultSettings } from '#schema/run.ts';

/** Writes runs directly into the log of a repository, as their crews would have. */
export async function seedRuns(
  dir: string,
  env: NodeJS.ProcessEnv,
  seed: (log: SeedLog) => Promise<void>,
  tasks: readonly string[] = ['talk'],
): Promise<void> {
  const repository = await openRepository(dir);
  const runs = openRunStore(repository, { env });
  const workshop = workshopFor(repository, runs, {
    provisioning: Provisioning.parse({}),
    driver: () => {
      throw new Error('nobody works here');
    },
    env,
  });
  const base = (await repository.git.text(['rev-parse', 'HEAD'])).trim();
  try {
    await seed({
      create: (title) =>
        createRun(workshop, {
          plan: Plan.parse({ schema: 'joinery/plan@1', tasks: tasks.map((id) => ({ id, title })) }),
          base,
          baseRef: 'main',
          settings: defaultSettings,
        }),
      append: (run, drafts) =>
        runs.engine.drive(run, { holder: 'seed' }, async (context) => {
          for (let from = 0; from < drafts.length; from += 2000)
            context.append(drafts.slice(from, from + 2000));
        }),
      drive: (run, body) =>
        runs.engine.drive(run, { holder: 'seed' }, (context) => body((drafts) => context.append(drafts))),
      base,
    });
  } finally {
    runs.close();
  }
}

export interface SeedLog {
  create(title: string): string;
  append(run: string, drafts: readonly EventDraft[]): Promise<void>;
  /** Holds the run while `body` writes to it from time to time. */
  drive(run: string, body: (append: (drafts: readonly EventDraft[]) => void) => Promise<void>): Promise<void>;
  readonly base: string;
}

/** An attempt whose agent has printed this many lines. */
export function talk(base: string, lines: number): EventDraft[] {
  const where = { step: 'talk', attempt: 1 };
  return [
    {
      type: 'attempt.started',
      ...where,
      data: {
        base,
        from: base,
        round: 1,
        branch: 'talk',
        path: '/nowhere',
        driver: 'scripted',
        role: 'developer',
      },
    },
    ...Array.from(
      { length: lines },
      (_, n): EventDraft => ({ type: 'attempt.said', ...where, data: { text: `line ${n} of many` } }),
    ),
  ];
}
