import { posix } from 'node:path';
import { dataOfText, factsOfTexts } from '#code/extraction/read-apart.ts';
import type { Facts } from '#code/facts/facts.ts';
import { isDataFormat } from '#code/formats/index.ts';
import type { DataFacts } from '#code/formats/shared/data-facts.ts';
import { isCode } from '#code/languages/index.ts';
import type { FileShapes } from '#contract/shapes.ts';
import { codeShapes } from './code-shapes.ts';
import { modelsIn, stepsIn } from './data-shapes.ts';

const nothing: FileShapes = { shapes: [], callables: [], steps: [], names: null, problem: null };

/** Whether a file can contain types, functions or tables. */
export function speaksOfShapes(path: string): boolean {
  return isCode(path) || /\.(?:sql|prisma)$/i.test(path);
}

/**
 * The types, functions and tables of each file, in their order. Tables are those that `joinery check` sees: there is one reader of
 * each format.
 */
export async function readShapes(
  files: readonly (readonly [path: string, text: string])[],
): Promise<FileShapes[]> {
  const [facts, data] = await Promise.all([
    factsOfTexts(files),
    Promise.all(files.map(([path, text]) => dataOfText(path, text))),
  ]);
  return files.map(([path, text], at) => shapesIn(path, text, facts[at] ?? null, data[at] ?? {}));
}

function shapesIn(path: string, text: string, facts: Facts | null, data: DataFacts): FileShapes {
  const tables = { shapes: modelsIn(path, data), steps: stepsIn(path, data) };
  if (isDataFormat(path)) return { ...nothing, ...tables, ...problemOf(data) };
  return codeOf(path, text, facts, data, tables);
}

function problemOf({ problem }: DataFacts): Pick<FileShapes, 'problem' | 'hidesTables'> {
  if (!problem) return { problem: null };
  const { line, message, isHarmless } = problem;
  return { problem: `line ${line}: ${message}`, ...(isHarmless ? {} : { hidesTables: true }) };
}

function codeOf(
  path: string,
  text: string,
  facts: Facts | null,
  data: DataFacts,
  tables: Pick<FileShapes, 'shapes' | 'steps'>,
): FileShapes {
  if (!facts) return { ...nothing, names: dataNames(path, text) };
  if (facts.syntaxError !== null) {
    const { line, message } = facts.syntaxError;
    return { ...nothing, problem: `line ${line}: ${message}` };
  }
  if (facts.module === 'data') return { ...nothing, names: dataNames(path, text) };
  const { shapes, callables } = codeShapes(path, text, facts, data.entities ?? []);
  return {
    shapes: [...shapes, ...tables.shapes],
    callables,
    steps: tables.steps,
    names: new Map([
      ...facts.exports.map(({ name, line }) => [name, line] as const),
      ...facts.definitions
        .filter(({ container }) => container === null)
        .map(({ name, line }) => [name, line] as const),
    ]),
    problem: null,
  };
}

/** The top-level keys of a data file. */
function dataNames(path: string, text: string): ReadonlyMap<string, number> | null {
  const ending = posix.extname(path).toLowerCase();
  const pattern = { '.json': null, '.yaml': /^(['"]?)([\w.-]+)\1\s*:/, '.yml': /^(['"]?)([\w.-]+)\1\s*:/ }[
    ending
  ];
  if (ending === '.json') return jsonNames(text);
  const found = pattern ?? (ending === '.toml' || ending === '.env' ? /^(\[?)([\w.-]+)(?:\]|\s*=)/ : null);
  if (!found) return null;
  const names = new Map<string, number>();
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    const name = found.exec(row)?.[2];
    if (name !== undefined && !names.has(name)) names.set(name, index + 1);
  }
  return names;
}

function jsonNames(text: string): ReadonlyMap<string, number> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const rows = text.split(/\r?\n/);
    return new Map(
      Object.keys(value).map((key) => [
        key,
        Math.max(1, rows.findIndex((row) => row.includes(`"${key}"`)) + 1),
      ]),
    );
  } catch {
    return null;
  }
}
