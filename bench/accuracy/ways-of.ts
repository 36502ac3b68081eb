import { oracles } from './oracles/index.ts';
import type { Outcome } from './score.ts';
import type { Seeded } from './seed.ts';
import type { SeededWay } from './seeded-data.ts';

type Measured = Omit<SeededWay, 'part' | 'project' | 'language' | 'heldOut'>;

/** Results of scenarios by operator and project; empty if none was drawn. */
export function waysOf(drawn: readonly Seeded[], outcomes: readonly Outcome[]): Measured[] {
  const [first] = drawn;
  if (!first) return [];
  const own = outcomes.filter(({ seeded }) => drawn.includes(seeded));
  const said: Record<string, { real: number; wrong: number }> = {};
  const count = (rule: string, as: 'real' | 'wrong') => {
    const known = said[rule] ?? { real: 0, wrong: 0 };
    said[rule] = { ...known, [as]: known[as] + 1 };
  };
  for (const { findings, matches, onTwin } of own) {
    for (const finding of findings) count(finding.rule, matches.includes(finding) ? 'real' : 'wrong');
    for (const { rule } of onTwin) count(rule, 'wrong');
  }
  const { rule, name, oracle } = first.operator;
  return [
    {
      rule,
      way: name,
      oracle: oracles[oracle],
      drawn: drawn.length,
      kept: own.length,
      found: own.filter(({ matches }) => matches.length > 0).length,
      twinAlarms: own.filter(({ onTwin }) => onTwin.length > 0).length,
      said,
    },
  ];
}
