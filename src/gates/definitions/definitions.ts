import { posix } from 'node:path';
import { findConfigFile } from '#config/find-config-file.ts';
import type { Config } from '#config/settings.ts';
import { shellWord } from '#lib/shell-word.ts';
import { ConfigError } from '#schema/errors.ts';
import { type Gate, type GateDefinitions, type GateKind, gateKinds } from '#schema/gates.ts';
import { slug } from './gate-names.ts';
import { offeredScripts } from './offered-scripts.ts';
import { parseGateSection } from './section.ts';
import { readTestSources, type TestSource, type TestSources } from './test-sources.ts';

/** Files that may contain the section; the first that has it counts. */
export const agentFiles = ['AGENTS.md', 'CLAUDE.md'] as const;

/**
 * The gates for work on top of a commit, from files and config of that commit only: those that the project writes down, and its tests as
 * its manifests run them where it writes down none. No gates at all is valid; a section that cannot be parsed is an error.
 */
export function gatesIn(
  files: ReadonlyMap<string, string>,
  baseCommit: string,
  config: Config,
  found: TestSources = readTestSources({ texts: files, paths: [] }),
): GateDefinitions {
  try {
    const { file, drafts } = draftsIn(files, config);
    const written = nameGates(drafts, config);
    const tests = found.chosen.filter(({ kind }) => kind === 'test');
    const added = written.some(({ kind }) => kind === 'test') ? [] : foundGates(tests, config);
    return {
      commit: baseCommit,
      file,
      gates: [...written, ...added],
      subsystems: { ...globsOf(tests, added), ...subsystemsOf(drafts, config) },
      sources: [...sourcesOf(written, added, found), ...offeredScripts(files, [...written, ...added])],
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { code, message, hint } = error;
    const place = `in commit ${baseCommit.slice(0, 12)}`;
    throw new ConfigError({
      code,
      message: `${place}: ${message}`,
      hint: `${hint}, and commit it`,
      cause: error,
    });
  }
}

/** Tests and builds that the files of a project suggest, as gates. */
export function foundGates(found: readonly TestSource[], { gates }: Pick<Config, 'gates'>): Gate[] {
  return found.map(({ kind, command, origin, ...source }) => ({
    id: `${titleOf(source)}/${kind}`,
    kind,
    command: source.folder === '' ? command : `cd ${shellWord(source.folder)} && ${command}`,
    subsystem: titleOf(source),
    timeoutMs: gates.timeoutSeconds * 1000,
    origin,
    isFound: true as const,
  }));
}

export function globsOf(
  found: readonly TestSource[],
  gates: readonly Gate[],
): Record<string, readonly string[]> {
  return Object.fromEntries(
    found
      .filter((source) => gates.some(({ subsystem }) => subsystem === titleOf(source)))
      .map((source) => [titleOf(source), [posix.join(source.folder, source.files)]]),
  );
}

/** `javascript`, `javascript packages/a`. */
function titleOf({ language, folder }: Pick<TestSource, 'language' | 'folder'>): string {
  return folder === '' ? language : `${language} ${folder}`;
}

/** Everything that says how the project is tested, what counts first. */
function sourcesOf(
  written: readonly Gate[],
  added: readonly Gate[],
  found: TestSources,
): GateDefinitions['sources'] {
  const tests = [...found.chosen, ...found.others].filter(({ kind }) => kind === 'test');
  const isAdded = (origin: string, command: string) =>
    added.some((gate) => gate.origin === origin && gate.command.endsWith(command));
  return [
    ...[...written.filter(({ kind }) => kind === 'test'), ...added].map(({ origin, command }) => ({
      origin,
      command,
      use: 'chosen' as const,
    })),
    ...tests
      .filter(({ origin, command }) => !isAdded(origin, command))
      .map(({ origin, command }) => ({ origin, command, use: 'other' as const })),
    ...found.proposals.map(({ origin, line }) => ({ origin, command: line, use: 'proposal' as const })),
  ];
}

type Draft = Omit<Gate, 'id'> & { readonly name: string };

function draftsIn(
  files: ReadonlyMap<string, string>,
  { gates: settings }: Config,
): { file: string | null; drafts: Draft[] } {
  const timeoutMs = settings.timeoutSeconds * 1000;
  if (settings.commands) {
    const file = findConfigFile((name) => files.get(name) ?? null);
    const drafts = settings.commands.map(
      ({ kind, name, run, subsystem, timeoutSeconds, network }, index) => ({
        name: slug(name ?? kind),
        kind,
        command: run,
        subsystem: subsystem ?? null,
        timeoutMs: timeoutSeconds === undefined ? timeoutMs : timeoutSeconds * 1000,
        origin: file?.locate(['gates', 'commands', index]) ?? 'config',
        ...(network ? { network } : {}),
      }),
    );
    return { file: file?.name.replace(/#.*/, '') ?? null, drafts };
  }
  for (const file of agentFiles) {
    const written = parseGateSection(file, files.get(file) ?? '');
    if (!written) continue;
    const drafts = written.map(({ line, ...gate }) => ({ ...gate, timeoutMs, origin: `${file}:${line}` }));
    return { file, drafts };
  }
  return { file: null, drafts: [] };
}

/** Cheap gates first, otherwise in written order. */
function nameGates(drafts: readonly Draft[], { gates }: Config): Gate[] {
  const rank = (kind: GateKind) => gateKinds.indexOf(kind);
  const taken = new Map<string, number>();
  return drafts
    .toSorted((a, b) => rank(a.kind) - rank(b.kind))
    .map(({ name: own, ...draft }) => {
      const name = draft.subsystem === null ? own : `${slug(draft.subsystem)}/${own}`;
      const count = (taken.get(name) ?? 0) + 1;
      taken.set(name, count);
      const id = count === 1 ? name : `${name}~${count}`;
      return { id, ...draft, ...(gates.network.includes(id) ? { network: true as const } : {}) };
    });
}

/** Configured globs apply to every title that contains the subsystem's name; otherwise the folders of that name. */
function subsystemsOf(drafts: readonly Draft[], { gates }: Config): Record<string, readonly string[]> {
  const titles = [...new Set(drafts.flatMap(({ subsystem }) => subsystem ?? []))];
  return Object.fromEntries(
    titles.map((title) => {
      const configured = Object.entries(gates.subsystems).filter(([name]) =>
        title.toLowerCase().includes(name.toLowerCase()),
      );
      const globs = configured.flatMap(([, patterns]) => patterns);
      return [title, globs.length > 0 ? globs : foldersNamed(title)];
    }),
  );
}

function foldersNamed(title: string): string[] {
  const name = slug(title);
  const singular = name.replace(/s$/, '');
  return [...new Set([name, singular, `${singular}s`])].map((folder) => `**/${folder}/**`);
}
