import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Definition, Facts } from '#code/facts/facts.ts';
import { python } from '#code/languages/python/index.ts';
import { visible as builtins } from '#code/languages/python/visible.ts';
import { isPartOfResult, readImportedInside } from '#code/languages/shared/results.ts';

const Outline = z.object({
  path: z.string(),
  definitions: z.array(z.tuple([z.string().nullable(), z.string(), z.string(), z.number().nullable()])),
  signatures: z.array(z.unknown()),
  imports: z.array(z.tuple([z.string().nullable(), z.string(), z.string(), z.number()])),
  globals: z.array(z.string()),
});
const Problem = z.object({ path: z.string(), error: z.string().nullable() });

const script = fileURLToPath(new URL('../support/python-outline.py', import.meta.url));
const stdlib = spawnSync('python3', ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'], {
  encoding: 'utf8',
}).stdout.trim();
const workspace = mkdtempSync(join(tmpdir(), 'against-python-'));

beforeAll(() => python.prepare());
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

function pythonSays<T>(schema: z.ZodType<T>, paths: readonly string[], ...options: string[]): T[] {
  const { stdout, stderr } = spawnSync('python3', [script, ...options], {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const outlines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => schema.parse(JSON.parse(line)));
  if (outlines.length !== paths.length)
    throw new Error(`python3 stopped after ${outlines.length} files: ${stderr}`);
  return outlines;
}

/** Sources of the standard library in UTF-8, without its tests, which contain broken files on purpose. */
function sources(folder: string): string[] {
  const skipped = new Set(['site-packages', 'test', 'tests', 'idle_test', '__pycache__', 'lib2to3']);
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : sources(path);
      return entry.name.endsWith('.py') && !readFileSync(path, 'utf8').includes('\ufffd') ? [path] : [];
    });
}

const category = ({ kind }: Definition) =>
  kind === 'class' || kind === 'enum'
    ? 'class'
    : kind === 'field' || kind === 'variable' || kind === 'enum-member' || kind === 'type'
      ? 'variable'
      : 'function';

/** Lines that only one side has, with counts: `+` Python, `-` Joinery. */
function difference(theirs: readonly string[], ours: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of theirs) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of ours) counts.set(line, (counts.get(line) ?? 0) - 1);
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(([line, count]) => `${count > 0 ? '+' : '-'} ${line}`);
}

const described = (definition: Definition) =>
  `${category(definition)} ${definition.container}.${definition.name}`;

/** `event.x = 1` in a function: Joinery lists the field, the outline only follows methods. */
function isWrittenFromOutside({ kind, line, column }: Definition, lines: readonly string[]): boolean {
  const receiver = /^(\w+)\s*\./.exec(lines[line - 1]?.slice(column - 1) ?? '')?.[1];
  return kind === 'field' && receiver !== undefined && receiver !== 'self' && receiver !== 'cls';
}

function disagreements(outline: z.infer<typeof Outline>, facts: Facts, lines: readonly string[]): string[] {
  const fromOutside = new Set(
    facts.definitions
      .filter((definition) => isWrittenFromOutside(definition, lines))
      .map((definition) => `- ${described(definition)}`),
  );
  const callables = facts.definitions.filter((definition) => category(definition) === 'function');
  return [
    ...difference(
      outline.definitions.map(([container, name, kind]) => `${kind} ${container}.${name}`),
      // Keys of returned dictionaries are no definitions for Python.
      facts.definitions.filter((definition) => !isPartOfResult(definition)).map(described),
    ).filter((line) => !fromOutside.has(line)),
    ...difference(
      outline.imports.map((parts) => `import ${parts.join(' ')}`),
      facts.imports
        .filter(({ form }) => form === 'executed')
        .map(({ local, imported, from, line }) => `import ${[local, imported, from, line].join(' ')}`),
    ),
    ...difference(
      outline.signatures.map((signature) => `signature ${JSON.stringify(signature)}`),
      callables.map(({ container, name, line, async, signature }) => {
        const parameters = signature?.parameters.map((parameter) => [
          parameter.kind,
          parameter.name,
          parameter.required,
        ]);
        return `signature ${JSON.stringify([container, name, line, async, parameters])}`;
      }),
    ),
    ...wrongGlobals(outline.globals, facts).map((name) => `global ${name}`),
  ];
}

/** Names that Python reads from the module and Joinery does not use, and names that only Joinery considers unbound. */
function wrongGlobals(globals: readonly string[], facts: Facts): string[] {
  const isMangled = (name: string) => /^_[A-Za-z]\w*__|^__\w+__$/.test(name);
  const used = new Set(facts.uses.filter(({ rootIs }) => rootIs === 'name').map(({ root }) => root));
  const missing = globals.filter((name) => !used.has(name) && !builtins.has(name) && !isMangled(name));
  const bound = new Set([
    ...facts.definitions.map(({ name }) => name),
    ...facts.imports.map(({ local }) => local),
  ]);
  const invented = facts.uses
    .filter(({ kind, rootIs }) => kind !== 'type' && rootIs === 'name')
    .map(({ root }) => readImportedInside(root) ?? root)
    .filter((root) => !bound.has(root))
    .filter((root) => !globals.includes(root) && !isMangled(root));
  return [
    ...missing.map((name) => `missing ${name}`),
    ...new Set(invented.map((name) => `invented ${name}`)),
  ];
}

type Mutation = (lines: readonly string[], at: number) => string[];

/** What a failed merge does to a file. */
const mutations: Record<string, Mutation> = {
  'a line is lost': (lines, at) => lines.toSpliced(at, 1),
  'a line stands twice': (lines, at) => lines.toSpliced(at, 0, lines[at] ?? ''),
  'two lines change places': (lines, at) => lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''),
  'a line is indented': (lines, at) => lines.with(at, `  ${lines[at]}`),
  'a line is dedented': (lines, at) => lines.with(at, (lines[at] ?? '').replace(/^ {1,4}/, '')),
  'a character is lost': (lines, at) => lines.with(at, (lines[at] ?? '').replace(/[[\](){}:,."']/, '')),
  'a marker is left': (lines, at) => lines.toSpliced(at, 0, '<<<<<<< HEAD'),
};

describe('the standard library', () => {
  const files = sources(stdlib).filter((_, index) => index % 3 === 0);

  test('is read as Python reads it', { timeout: 300_000 }, () => {
    const found = pythonSays(Outline, files).flatMap((outline) => {
      const text = readFileSync(outline.path, 'utf8');
      const facts = python.extract(text);
      if (facts.syntaxError !== null) return [`${outline.path}: ${facts.syntaxError.message}`];
      return disagreements(outline, facts, text.split('\n')).map((line) => `${outline.path}: ${line}`);
    });
    expect(files.length).toBeGreaterThan(150);
    expect(found).toEqual([]);
  });

  test('is found broken where Python finds it broken', { timeout: 300_000 }, () => {
    const originals = files.filter((_, index) => index % 4 === 0);
    const mutants = originals.flatMap((file, number) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      return Object.values(mutations).map((mutate, kind) => {
        const path = join(workspace, `${number}-${kind}.py`);
        writeFileSync(
          path,
          mutate(lines, (number * 7919 + kind * 104_729) % Math.max(1, lines.length - 1)).join('\n'),
        );
        return path;
      });
    });
    const count = { broken: 0, lenient: 0, strict: 0 };
    for (const { path, error } of pythonSays(Problem, mutants, '--errors')) {
      const ours = python.extract(readFileSync(path, 'utf8')).syntaxError;
      if (error !== null) count.broken++;
      if (error !== null && ours === null) count.lenient++;
      if (error === null && ours !== null) count.strict++;
    }
    expect(count.broken).toBeGreaterThan(50);
    expect(count.strict).toBe(0);
    // The grammar accepts a few invalid constructs, such as a wrong escape in a string.
    expect(count.lenient / count.broken).toBeLessThan(0.02);
  });
});
