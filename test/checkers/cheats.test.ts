import { expect, test } from 'vitest';
import { pythonCheats } from '#test/support/cheats/python-cheats.ts';
import { secondPythonCheats } from '#test/support/cheats/second-round/cheats.ts';
import { isGreen, runCheat } from '#test/support/run-cheat.ts';
import { note } from '#test/support/sampling.ts';
import { chance } from '#test/support/seed.ts';

const all = [...pythonCheats, ...secondPythonCheats];
const some = chance('cheats', { normal: 3, wide: 15, soak: all.length });
const chosen = some.pick(all).map((cheat) => [cheat.name, cheat] as const);

test.each(chosen)(
  'broken work is not accepted with %s',
  async (name, cheat) => {
    const green = isGreen(cheat);
    const { isAccepted, why } = await runCheat(cheat);
    note(`${isAccepted ? 'accepted' : 'refused'}: ${name}`);
    expect({ green, isAccepted }, why).toEqual({ green: true, isAccepted: cheat.passes !== undefined });
  },
  120_000,
);
