import { resolve } from 'node:path';
import { programEnvironment } from '#app/workplace/program-environment.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { WitnessSettings } from '#check/witness/witness-settings.ts';
import { configFileNames } from '#config/find-config-file.ts';
import type { Config } from '#config/settings.ts';
import { agentFiles, foundGates, gatesIn, globsOf } from '#gates/definitions/definitions.ts';
import {
  type PythonRunner,
  readTestSources,
  sourceFiles,
  type TestSources,
} from '#gates/definitions/test-sources.ts';
import { findProgram } from '#gates/runner/tools.ts';
import type { CommitFiles } from '#git/trees/files-at.ts';
import { wordsOfLine } from '#lib/words-of-line.ts';
import { askProgram } from '#process/ask-program.ts';
import { containmentHere, describeContainment } from '#process/containment.ts';
import type { ConfirmWay } from '#schema/confirm.ts';
import { ConfigError, EnvironmentError, UsageError } from '#schema/errors.ts';
import type { GateDefinitions } from '#schema/gates.ts';

interface Wish {
  readonly ways: readonly ConfirmWay[];
  /** Settings from base. */
  readonly config: Config;
  /** Commit of base. */
  readonly commit: string;
  /** The files of base. */
  readonly files: CommitFiles;
  readonly sandbox: string | undefined;
}

/** How to run tests of branches; null if they were not demanded. Warns on the terminal that code of branches will run. */
export async function witnessHere(
  { cwd, env, terminal }: Pick<Surroundings, 'cwd' | 'env' | 'terminal'>,
  { ways, config, commit, files, sandbox }: Wish,
): Promise<WitnessSettings | null> {
  const running = ways.filter((way) => way !== 'types');
  if (running.length === 0) {
    if (sandbox === undefined) return null;
    throw new UsageError({
      code: 'nothing-to-confine',
      message: '--sandbox confines builds and tests, and none are run',
      hint: 'joinery check --confirm tests --sandbox <command>',
    });
  }
  const variables = programEnvironment(env, config.gates.env);
  const confined = sandbox === undefined ? [] : readSandbox(sandbox, cwd, variables.PATH ?? '');
  const paths = await files.list();
  const texts = await files.read([...agentFiles, ...configFileNames, ...sourceFiles(paths)]);
  const installed = running.includes('tests') ? await installedPythonRunner(variables) : null;
  const sources = readTestSources({ texts, paths }, installed);
  const definitions = writtenOrFound({ texts, commit, config, sources }, terminal.warn);
  const builds = foundGates(
    sources.chosen.filter(({ kind }) => kind === 'build'),
    config,
  );
  const hasBuild = definitions.gates.some(({ kind }) => kind === 'build');
  terminal.warn(
    `--confirm ${running.join(',')} runs code of the branches on this machine, in a temporary checkout${confined.length > 0 ? ` under ${confined[0]}` : ''}, without your credentials and ${describeContainment(containmentHere(env))}`,
  );
  return {
    ways: running,
    definitions: {
      gates: [...definitions.gates, ...(hasBuild ? [] : builds)],
      subsystems: { ...globsOf(sources.chosen, builds), ...definitions.subsystems },
    },
    env: variables,
    provisioning: config.worktree,
    logBytes: config.gates.logBytes,
    memoryBytes: config.gates.memoryBytes,
    sandbox: confined,
  };
}

/** A check needs no gates: where the section cannot be read, it says so and runs the tests that manifests name. */
function writtenOrFound(
  { texts, commit, config, sources }: GateFiles,
  warn: (text: string) => void,
): Pick<GateDefinitions, 'gates' | 'subsystems'> {
  try {
    return gatesIn(texts, commit, config, sources);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const tests = sources.chosen.filter(({ kind }) => kind === 'test');
    const gates = foundGates(tests, config);
    warn(`${error.message}; this check uses what manifests say about tests instead`);
    return { gates, subsystems: globsOf(tests, gates) };
  }
}

interface GateFiles {
  readonly texts: ReadonlyMap<string, string>;
  readonly commit: string;
  readonly config: Config;
  readonly sources: TestSources;
}

/** Asked outside the repository, so that a file of that name in it is not taken for the package. */
async function installedPythonRunner(env: Readonly<Record<string, string>>): Promise<PythonRunner | null> {
  const script =
    'import importlib.util as u; print("pytest" if u.find_spec("pytest") is not None else "unittest")';
  const said = await askProgram({
    argv: ['python3', '-c', script],
    cwd: '/',
    env,
    timeoutMs: 10_000,
    maxBytes: 100,
  });
  return said === null ? null : said.trim() === 'pytest' ? 'pytest' : 'unittest';
}

function readSandbox(line: string, cwd: string, path: string): string[] {
  const [program = '', ...args] = wordsOfLine(line);
  const found = program.includes('/') ? resolve(cwd, program) : findProgram(program, path);
  if (found !== null && findProgram(found, '/') !== null) return [found, ...args];
  throw new EnvironmentError({
    code: 'no-sandbox',
    message: `--sandbox names ${JSON.stringify(program)}, which is not installed`,
    hint: 'install it, or name another program',
  });
}
