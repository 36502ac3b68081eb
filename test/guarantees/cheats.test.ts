import { expect, test } from 'vitest';
import { scriptCheats } from '#test/support/cheats/script-cheats.ts';
import { secondScriptCheats } from '#test/support/cheats/second-round/cheats.ts';
import { thirdScriptCheats } from '#test/support/cheats/third-round.ts';
import { isGreen, runCheat } from '#test/support/run-cheat.ts';
import { note } from '#test/support/sampling.ts';
import { chance } from '#test/support/seed.ts';

const all = [...scriptCheats, ...secondScriptCheats, ...thirdScriptCheats];
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
