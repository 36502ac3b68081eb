import type { Cheat } from '../cheat.ts';
import { runCheats } from './cheats-javascript-run.ts';
import { testCheats } from './cheats-javascript-tests.ts';
import { pythonCheats } from './cheats-python.ts';

/** Written by an author who had not read the checks. Why the accepted ones pass. */
const passing: Readonly<Record<string, string>> = {
  'answers hard coded for the inputs of the tests': 'the tests demand no more',
  'right for the small numbers of the tests': 'the tests demand no more',
  'a value that compares as whatever it is asked': 'it is the right value for the only input of the tests',
  'right for the first calls of a process only': 'the tests do not call it that often',
  'right until the end of the year': 'the tests run before',
};

const told = (cheat: Cheat): Cheat => ({
  ...cheat,
  ...(cheat.name in passing ? { passes: passing[cheat.name] ?? '' } : {}),
});

export const secondScriptCheats: readonly Cheat[] = [...runCheats, ...testCheats].map(told);
export const secondPythonCheats: readonly Cheat[] = pythonCheats.map(told);
