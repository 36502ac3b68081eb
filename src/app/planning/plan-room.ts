import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '#agents/driver.ts';
import { type Role, type RoleText, readRoles, roleText } from '#agents/prompt/roles.ts';
import { surveyAgents } from '#agents/survey/survey-agents.ts';
import { thisHost } from '#app/workplace/host.ts';
import { stateOf } from '#app/workplace/state-of.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { loadConfig } from '#config/read-config.ts';
import type { Config } from '#config/settings.ts';
import { openRunStore } from '#crew/run-store.ts';
import { runIds, stateIfWhole } from '#crew/state/catalogue.ts';
import { costOfRun } from '#crew/state/cost.ts';
import { GitError } from '#git/call/git-error.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { readRef } from '#git/merges/branches.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { readFilesIn } from '#git/trees/files-at.ts';
import { GitTree } from '#git/trees/tree.ts';
import type { Question } from '#planning/answers/consult.ts';
import { filesNamedIn, outlineFolders, renderOutline } from '#planning/architect/outline.ts';
import { readCode } from '#planning/decompose/read-code.ts';
import type { CodeReading } from '#planning/decompose/reading.ts';
import type { PastTask } from '#planning/price/price.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import { EnvironmentError, UsageError } from '#schema/errors.ts';
import { cacheDir } from '#schema/paths.ts';
import type { SpecKind } from '#schema/planning.ts';
import type { Scenario } from '#schema/scenario.ts';
import { type Consultant, openConsultant } from './consult-agent.ts';
import { readSpec } from './read-spec.ts';

export interface PlanRoomOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Commit-ish that code and roles are read from; undefined: the checked-out one. */
  readonly base: string | undefined;
  warn(message: string): void;
}

/** What planning works with: the base commit, its roles and code, the specs and the ledger. */
export interface PlanRoom {
  readonly repository: Repository;
  readonly config: Config;
  readonly root: string;
  readonly base: string;
  readonly tree: string;
  readonly state: string;
  readonly cache: string;
  role(name: Role): RoleText;
  readonly roles: readonly RoleText[];
  spec(typed: string, kind?: SpecKind): SpecBundle;
  /** Reads a spec by its path from the top of the repository. */
  specAtTop(path: string): SpecBundle;
  outline(spec: SpecBundle): Promise<string>;
  readCode(declared: readonly string[]): Promise<CodeReading>;
  past(): PastTask[];
  consultant(wanted: ConsultWish): Consultant;
}

export interface ConsultWish {
  readonly agent: string;
  /** The agent of a role, where it differs. */
  readonly roles: Readonly<Record<string, string>>;
  /** Model of the agents; undefined: the project's setting. */
  readonly model?: string | undefined;
  readonly scenario: Scenario | null;
  readonly signal: AbortSignal;
  report(question: Question, event: AgentEvent): void;
}

export async function withPlanRoom<T>(
  options: PlanRoomOptions,
  body: (room: PlanRoom) => Promise<T>,
): Promise<T> {
  const { cwd, env } = options;
  const repository = await openRepository(cwd);
  if (repository.workTree === null) {
    throw new UsageError({
      code: 'no-worktree',
      message: 'a bare repository has no specs to read',
      hint: 'go into a worktree of it: git worktree list',
    });
  }
  const { values: config, warnings } = await loadConfig({ root: repository.workTree, env });
  for (const warning of warnings) options.warn(warning);
  const ref = options.base ?? 'HEAD';
  const base = await readRef(repository.git, ref);
  if (base === null) {
    throw new GitError('unknown-ref', `there is no commit named ${JSON.stringify(ref)}`, {
      hint: options.base === undefined ? 'commit something first: git commit' : 'name another: --base <rev>',
    });
  }
  const objects = new ObjectReader(repository.git);
  const cache = cacheDir(thisHost(env));
  const state = stateOf(env, repository.commonDir);
  const facts = new FactsStore(join(cache, 'facts.db'), config.cache.maxBytes);
  try {
    const listing = await GitTree.read(repository.git, base);
    const tree = await repository.git.text(['rev-parse', '--verify', '--end-of-options', `${base}^{tree}`]);
    const roles = await readRoles((paths) => readFilesIn(listing, objects, paths));
    const read = (declared: readonly string[]) =>
      readCode(
        {
          git: repository.git,
          objects,
          facts,
          commit: base,
          tree: listing,
          pythonRoots: config.python.roots,
        },
        declared,
      );
    const root = repository.workTree;
    return await body({
      repository,
      config,
      root,
      base,
      tree,
      state,
      cache,
      roles,
      role: (name) => roles.find((each) => each.name === name) ?? roleText(name),
      spec: (typed, kind) => readSpec(root, cwd, typed, kind),
      specAtTop: (path) => readSpec(root, root, path),
      async outline(spec) {
        const paths = listing.matching(() => true);
        const named = filesNamedIn(spec.text, paths);
        const { offers } = await read(named);
        return renderOutline({
          files: paths.length,
          folders: outlineFolders(paths),
          named: named.map((path) => ({ path, offers: offers[path] ?? [] })),
        });
      },
      readCode: read,
      past: () => pastTasks(repository, state, env),
      consultant: (wish) =>
        openConsultant({
          ...wish,
          agentOf: (role) => agentFor(wish, role),
          repository,
          config,
          env,
          folder: join(state, 'scratch'),
          tree,
        }),
    });
  } finally {
    objects.close();
    facts.close();
  }
}

/** Accepted tasks of past runs of this repository, with their cost and time. */
function pastTasks(repository: Repository, state: string, env: NodeJS.ProcessEnv): PastTask[] {
  if (!existsSync(join(state, 'runs.db'))) return [];
  const runs = openRunStore(repository, { env });
  try {
    return runIds(runs.engine).flatMap((run) => {
      const known = stateIfWhole(runs.engine, run);
      // What a fork inherited is counted in the original run.
      if (known === null || known.fork !== null) return [];
      return costOfRun(run, known)
        .tasks.filter(({ status, tokens }) => status === 'accepted' && tokens > 0)
        .map(({ tokens, ms }) => ({ tokens, minutes: ms / 60_000 }));
    });
  } finally {
    runs.close();
  }
}

export function agentFor({ agent, roles }: Pick<ConsultWish, 'agent' | 'roles'>, role: string): string {
  return roles[role] ?? agent;
}

/** The agent to use when none was named: the only one installed. The scripted agent is never chosen automatically. */
export async function chooseAgent(
  named: string | undefined,
  config: Config,
  env: NodeJS.ProcessEnv,
  root: string | null,
  choose: ((question: string, names: readonly string[]) => Promise<string | null>) | null = null,
): Promise<string> {
  const wanted = named ?? config.run.agent;
  if (wanted !== undefined) return wanted;
  const { agents } = await surveyAgents(config, env, root);
  const installed = agents
    .filter(({ name, status }) => name !== 'scripted' && status !== 'missing')
    .map(({ name }) => name);
  const [only] = installed;
  if (only !== undefined && installed.length === 1) return only;
  const chosen =
    installed.length > 1 && choose ? await choose('Which agent does the work?', installed) : null;
  if (chosen !== null) return chosen;
  if (only === undefined)
    throw new EnvironmentError({
      code: 'no-agent',
      message: 'no agent is installed',
      hint: 'joinery agents shows how to install one',
    });
  throw new UsageError({
    code: 'no-agent',
    message: `several agents are installed (${installed.join(', ')}), and none was named`,
    hint: `--agent ${only}; joinery agents lists them`,
  });
}
