import { accessSync, constants, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { asObject } from '#lib/json-value.ts';
import { parseJsonFile } from '#lib/parse-json.ts';
import { askProgram } from '#process/ask-program.ts';

/** Programs outside the project that are asked for their version. Programs inside the project are never run for it. */
const asked = /^(python\d?(\.\d+)?|go|cargo|ruby|php|deno|bun)$/;

/**
 * Versions of what a command uses: Node, the packages named in it or in the scripts it runs, and some programs. Enough to
 * show people what took part, and to detect a stale cached result. `memory` is a cache file of ours.
 */
export async function readToolVersions(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  memory: string,
): Promise<Record<string, string>> {
  const words = wordsIn(command, cwd);
  const packages = [...words].flatMap((word) => {
    const version = packageVersion(join(cwd, 'node_modules', word, 'package.json'));
    return version ? [[word, version] as const] : [];
  });
  const programs = [...words].filter((word) => asked.test(word));
  const answers = await Promise.all(programs.map((name) => programVersion(name, cwd, env, memory)));
  return Object.fromEntries([
    ['node', process.versions.node],
    ...packages,
    ...programs.flatMap((name, index) => (answers[index] ? [[name, answers[index]] as const] : [])),
  ]);
}

/** The words of the command and of the package scripts it names, one level deep. */
function wordsIn(command: string, cwd: string): Set<string> {
  const scripts = packageScripts(join(cwd, 'package.json'));
  const own = split(command);
  const run = /\b(?:npm|pnpm|yarn|bun)\b/.test(command)
    ? own.flatMap((word) => (Object.hasOwn(scripts, word) ? split(scripts[word] ?? '') : []))
    : [];
  return new Set([...own, ...run]);
}

function split(text: string): string[] {
  return text.split(/[\s;&|()'"]+/).filter((word) => /^@?[a-z][\w./-]*$/i.test(word) && !word.includes('..'));
}

function packageScripts(file: string): Record<string, string> {
  const { scripts } = asObject(parseJsonFile(file));
  return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, string>) : {};
}

function packageVersion(file: string): string | null {
  const { version } = asObject(parseJsonFile(file));
  return typeof version === 'string' ? version : null;
}

async function programVersion(
  name: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  memory: string,
): Promise<string | null> {
  const file = findProgram(name, env.PATH ?? '');
  if (!file || file.startsWith(cwd + sep)) return null;
  const { mtimeMs, size } = statSync(file);
  const key = `${file} ${mtimeMs} ${size}`;
  const known = asObject(parseJsonFile(memory));
  const remembered = known[key];
  if (typeof remembered === 'string') return remembered;
  const version = await askVersion(file, name, env);
  // A shim is the same file for every version, so its version is not cached.
  if (version !== null && !file.includes('/shims/')) remember(memory, { ...known, [key]: version });
  return version;
}

function remember(memory: string, known: Record<string, unknown>): void {
  const fresh = `${memory}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(known));
  renameSync(fresh, memory);
}

export function findProgram(name: string, path: string): string | null {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return realpathSync(file);
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

async function askVersion(
  file: string,
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const said = await askProgram({
    argv: [file, name === 'go' ? 'version' : '--version'],
    cwd: tmpdir(),
    env,
    timeoutMs: 3000,
    maxBytes: 100_000,
  });
  return said?.split('\n')[0]?.trim().slice(0, 100) || null;
}
