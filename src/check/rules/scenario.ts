import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { confidences, severities } from '#schema/vocabulary.ts';

/** What a scenario promises about one finding; keys that are absent are not compared. */
const ExpectedFinding = z.strictObject({
  rule: z.string(),
  severity: z.enum(severities),
  confidence: z.enum(confidences),
  branches: z.array(z.string()),
  owner: z.string().optional(),
  provider: z.string().optional(),
  consumerFile: z.string().optional(),
});
export type ExpectedFinding = z.infer<typeof ExpectedFinding>;

const Expected = z.strictObject({
  findings: z.array(ExpectedFinding),
  status: z.enum(['pass', 'fail', 'inconclusive']),
  landable: z.array(z.string()).optional(),
});

const Changes = z.strictObject({
  delete: z.array(z.string()).default([]),
  move: z.record(z.string(), z.string()).default({}),
});
const ScenarioFile = z.record(z.string(), Changes);

export type Files = ReadonlyMap<string, Buffer>;

/** What one branch does to base: first the moves, so that git sees renames, then deletions, then files. */
export interface Overlay {
  readonly name: string;
  readonly move: Readonly<Record<string, string>>;
  readonly delete: readonly string[];
  readonly files: Files;
}

export interface Scenario {
  /** `symbols/s01-ts-removed-function`. */
  readonly name: string;
  readonly rule: string;
  readonly base: Files;
  /** In the order of their names: `a`, `b`, `c`. */
  readonly branches: readonly Overlay[];
  /** What base gained after the branches forked. */
  readonly movedBase: Overlay | null;
  readonly expected: z.infer<typeof Expected>;
}

const detectors = import.meta.dirname;

/** Every scenario of every rule family: `<family>/fixtures/<scenario>/{base,a,b,expected.json}`. */
export function readScenarios(): Scenario[] {
  return readdirSync(detectors, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(detectors, entry.name, 'fixtures')))
    .flatMap(({ name }) => foldersOf(join(detectors, name, 'fixtures')))
    .map(readScenario);
}

function foldersOf(dir: string): string[] {
  return readdirSync(dir)
    .toSorted()
    .map((name) => join(dir, name));
}

function readScenario(dir: string): Scenario {
  const changes = existsSync(join(dir, 'scenario.json'))
    ? ScenarioFile.parse(readJson(join(dir, 'scenario.json')))
    : {};
  const overlay = (name: string): Overlay | null => {
    if (!existsSync(join(dir, name)) && !changes[name]) return null;
    const { delete: deleted, move } = changes[name] ?? { delete: [], move: {} };
    return { name, delete: deleted, move, files: readFiles(join(dir, name)) };
  };
  const name = basename(dir);
  return {
    name: `${basename(dirname(dirname(dir)))}/${name}`,
    rule: name.slice(0, name.indexOf('-')).toUpperCase(),
    base: readFiles(join(dir, 'base')),
    branches: ['a', 'b', 'c'].flatMap((branch) => overlay(branch) ?? []),
    movedBase: overlay('moved-base'),
    expected: Expected.parse(readJson(join(dir, 'expected.json'))),
  };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function readFiles(dir: string): Files {
  if (!existsSync(dir)) return new Map();
  const paths = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return new Map(
    paths.map((path) => [relative(dir, path).split(sep).join('/'), readFileSync(path)] as const),
  );
}

/** The files of base as a branch leaves them. */
export function applyOverlay(base: Files, overlay: Overlay): Files {
  const files = new Map(base);
  for (const [from, to] of Object.entries(overlay.move)) {
    const content = files.get(from);
    if (!content) throw new Error(`${overlay.name} moves ${from}, which base does not have`);
    files.delete(from);
    files.set(to, content);
  }
  for (const path of overlay.delete) {
    if (!files.delete(path)) throw new Error(`${overlay.name} deletes ${path}, which base does not have`);
  }
  for (const [path, content] of overlay.files) files.set(path, content);
  return files;
}
