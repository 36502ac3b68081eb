import type { TestResults } from '#schema/gates.ts';
import { passedNames } from './passed-names.ts';
import { plainLines, separateStreams } from './plain-lines.ts';
import { cargo, nextest } from './readers/cargo.ts';
import { go, goJson } from './readers/go.ts';
import { jest, mocha, nodeSpec, vitest } from './readers/javascript.ts';
import { jestJson } from './readers/jest-json.ts';
import { junit } from './readers/junit.ts';
import { mochaJson } from './readers/mocha-json.ts';
import { otherRunners } from './readers/other-runners.ts';
import { pytest, unittest } from './readers/python.ts';
import type { Claim, TestReader } from './readers/reading.ts';
import { tap } from './readers/tap.ts';

/** Machine-readable formats, the most reliable first. */
const machineReaders: readonly TestReader[] = [junit, jestJson, mochaJson, goJson, tap];
/** Runners recognized by their output for people. */
const closingReaders: readonly TestReader[] = [
  vitest,
  jest,
  mocha,
  nodeSpec,
  pytest,
  unittest,
  nextest,
  cargo,
  go,
];

type Found = Claim & { readonly reader: string };

export interface ReadResults extends TestResults {
  /** Names of passed tests, if the output has them. Not stored: there may be thousands. */
  readonly passing: readonly string[];
}

/** Test results in the output of a command, summed over several runners; null if no reader understands it. */
export function readTestResults(log: string): ReadResults | null {
  const streams = separateStreams(plainLines(log));
  const found = streams.flatMap(readStream);
  if (found.length === 0) return null;
  const sum = (key: 'passed' | 'failed' | 'skipped') => found.reduce((total, each) => total + each[key], 0);
  const failing = found.flatMap((each) => each.failing);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failing,
    // More failures than names: some failing tests are unknown.
    hasAllNames: found.every((each) => each.failing.length >= each.failed),
    readers: [...new Set(found.map(({ reader }) => reader))],
    passing: found.every((each) => each.passing)
      ? found.flatMap((each) => each.passing ?? [])
      : streams.flatMap(passedNames),
  };
}

function readStream(stream: readonly string[]): Found[] {
  const lines = [...stream];
  const machine = ask(machineReaders, lines);
  // A runner often prints closing lines next to its machine-readable output: equal numbers are the same run.
  const unmatched = [...machine];
  const closing = ask(closingReaders, lines).filter((each) => {
    const twin = unmatched.findIndex((other) => hasSameCounts(each, other));
    if (twin < 0) return true;
    unmatched.splice(twin, 1);
    return false;
  });
  const known = [...machine, ...closing];
  return known.length > 0 ? known : ask(otherRunners, lines).slice(0, 1);
}

function ask(readers: readonly TestReader[], lines: string[]): Found[] {
  return readers.flatMap((reader) => {
    const claim = reader.read(lines);
    if (!claim) return [];
    for (const index of claim.used) lines[index] = '';
    return [{ ...claim, reader: reader.name }];
  });
}

function hasSameCounts(a: Claim, b: Claim): boolean {
  return a.passed === b.passed && a.failed === b.failed && a.skipped === b.skipped;
}
