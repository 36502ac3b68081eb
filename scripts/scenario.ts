/**
 * `npm run scenario -- <file>…`: checks that `joinery check` reports what these scenarios expect. Exit code 0 if it does, 1
 * if it does not, 3 if a file cannot be read. `--update` writes the actual result into the files.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { JoineryError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { openForks, plainRef } from '#test/support/scenario/check-scenarios.ts';
import { compareReport, updatedExpectation } from '#test/support/scenario/compare.ts';
import { printScenario } from '#test/support/scenario/print-scenario.ts';
import { type NamedScenario, readScenario } from '#test/support/scenario/read-scenarios.ts';
import { ScenarioError } from '#test/support/scenario/scenario-error.ts';

class UsageProblem extends Error {}

const usage = 'npm run scenario -- [--update] <file>…';
const scratch = mkdtempSync(join(tmpdir(), 'joinery-scenario-'));
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = explain(error);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function main(args: string[]): Promise<number> {
  const { files, update } = readArguments(args);
  const scenarios = files.map((file) => ({ file, ...open(file) }));
  const check = await openForks(scenarios, scratch);
  let code: number = exitCodes.ok;
  for (const [index, scenario] of scenarios.entries()) {
    const report = await check(index);
    const difference = compareReport(report, scenario.expected, plainRef);
    if (difference === '') {
      console.log(`pass    ${scenario.name}`);
    } else if (update) {
      const expected = updatedExpectation(report, scenario.expected, plainRef);
      writeFileSync(scenario.file, printScenario({ ...scenario, expected }));
      console.log(`updated ${scenario.name}\n${difference.trimEnd()}`);
    } else {
      console.log(`FAIL    ${scenario.name}: - expected, + found\n${difference.trimEnd()}`);
      code = exitCodes.findings;
    }
  }
  return code;
}

function readArguments(args: string[]): { files: string[]; update: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { update: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    if (positionals.length === 0) throw new UsageProblem('no file was named');
    // npm changes to the top of the checkout and passes the original folder on.
    const from = process.env.INIT_CWD ?? process.cwd();
    return { files: positionals.map((file) => resolve(from, file)), update: values.update };
  } catch (error) {
    throw error instanceof UsageProblem ? error : new UsageProblem((error as Error).message.split('\n')[0]);
  }
}

function open(file: string): NamedScenario {
  try {
    return readScenario(file);
  } catch (error) {
    if (error instanceof ScenarioError) throw error;
    throw new UsageProblem(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function explain(error: unknown): number {
  const tell = (message: string, next: string) => console.error(`scenario: ${message} Next: ${next}`);
  if (error instanceof JoineryError) {
    tell(`${error.message}.`, error.hint);
    return error.exitCode;
  }
  if (error instanceof ScenarioError) tell(`${error.message}.`, 'see test/rules/README.md');
  else if (error instanceof UsageProblem) tell(`${error.message}.`, usage);
  else throw error;
  return exitCodes.usage;
}
