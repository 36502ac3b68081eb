import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseScenario } from './parse-scenario.ts';
import type { Scenario } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

/** A scenario with its place: `s01/ts-removed-function`. */
export interface NamedScenario extends Scenario {
  readonly name: string;
}

const folder = fileURLToPath(new URL('../../rules', import.meta.url));

/** Every scenario below `test/rules`, in the order of their names. */
export function readScenarios(): NamedScenario[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes(sep) && path.endsWith('.txt'))
    .toSorted()
    .map((path) => readScenario(join(folder, path)));
}

/** Throws a `ScenarioError` that starts with the place: `test/rules/s01/x.txt:3: …`. */
export function readScenario(file: string): NamedScenario {
  try {
    return { name: nameOf(file), ...parseScenario(readFileSync(file)) };
  } catch (error) {
    if (error instanceof ScenarioError)
      throw new ScenarioError(error.line, `${file}:${error.line}: ${error.message}`);
    throw error;
  }
}

/** The last two parts of its path. */
function nameOf(file: string): string {
  return join(basename(join(file, '..')), basename(file, '.txt'))
    .split(sep)
    .join('/');
}
