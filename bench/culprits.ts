import { findCulprits } from '#check/witness/culprits.ts';
import { minimalSets } from '#test/support/minimal-sets.ts';
import type { BenchOptions, Part } from './part.ts';
import { Random } from './random.ts';
import { judge, median, percent, renderTable } from './table.ts';

export const culprits: Part = {
  name: 'culprits',
  summary: 'runs it takes to find who broke a test, against asking about every set',
  run: runCulprits,
};

interface Sample {
  readonly first: number;
  readonly all: number;
  readonly brute: number;
  readonly isSame: boolean;
}

async function runCulprits({ full, seed }: BenchOptions): Promise<string> {
  const random = new Random(seed);
  const rows: string[][] = [];
  for (const branches of [4, 16, 64])
    for (const sets of [1, 2, 3]) {
      const samples: Sample[] = [];
      for (let count = 0; count < (full ? 500 : 100); count++)
        samples.push(await draw(branches, sets, random));
      const firsts = samples.map(({ first }) => first);
      const limit = 2 * Math.log2(branches) + 4;
      rows.push([
        `${branches} branches, ${sets} guilty set${sets === 1 ? '' : 's'}`,
        String(median(firsts)),
        String(Math.max(...firsts)),
        String(limit),
        String(median(samples.map(({ all }) => all))),
        String(median(samples.map(({ brute }) => brute))),
        percent(samples.filter(({ isSame }) => isSame).length / samples.length),
        judge(median(firsts) <= limit && samples.every(({ isSame }) => isSame)),
      ]);
    }
  const head = [
    'planted',
    'runs, median',
    'most',
    'limit',
    'for all sets',
    'brute force',
    'same sets',
    'verdict',
  ];
  return `${renderTable(head, rows)}\n\nsets of two and three branches; the branch of the test is one of each; drawn with seed ${seed}`;
}

/** The branch with the test is in every set, so the search is among the others: one or two of them per set. */
async function draw(branches: number, count: number, random: Random): Promise<Sample> {
  const others = Array.from({ length: branches - 1 }, (_, index) => index);
  const planted = Array.from({ length: count }, () => random.shuffled(others).slice(0, 1 + random.below(2)));
  let brute = 0;
  const holds = (some: readonly number[]) =>
    planted.some((set) => set.every((member) => some.includes(member)));
  const expected = minimalSets(others, (some) => {
    brute++;
    return holds(some);
  });
  const { sets, checks } = await findCulprits(random.shuffled(others), async (some) => holds(some));
  const spelled = (list: readonly (readonly number[])[]) =>
    JSON.stringify(list.map((set) => set.toSorted((a, b) => a - b).join(' ')).sort());
  return { ...checks, brute, isSame: spelled(sets) === spelled(expected) };
}
