import type { Cheat } from '../cheat.ts';
import { runCheats } from './cheats-javascript-run.ts';
import { testCheats } from './cheats-javascript-tests.ts';
import { pythonCheats } from './cheats-python.ts';

/** By somebody who had not read what is checked. Why those that pass do. */
const passing: Readonly<Record<string, string>> = {};

const told = (cheat: Cheat): Cheat => ({
  ...cheat,
  ...(cheat.name in passing ? { passes: passing[cheat.name] ?? '' } : {}),
});

export const secondScriptCheats: readonly Cheat[] = [...runCheats, ...testCheats].map(told);
export const secondPythonCheats: readonly Cheat[] = pythonCheats.map(told);
