import type { Found } from '#check/rules/rule.ts';
import { textProblem } from '#check/rules/text/text-problem.ts';
import type { Place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import type { RuleId } from '#schema/rules.ts';
import type { Sighting, Spot } from './survey.ts';

/** The sighting of a rule as a problem between two members. */
export async function foundBy(rule: RuleId, sighting: Sighting): Promise<Found> {
  const { key, provider, sites, confidence, severity, tags, message, suggestion } = sighting;
  const [first] = sites;
  return {
    problem: {
      ...textProblem(rule, [first.file], message),
      key: JSON.stringify([rule, key, first.file]),
      provider: symbolId(provider.file, provider.name),
      sites: sites.map(placeOf),
      proven: confidence === 'proven',
    },
    consumer: await first.side.member(),
    provider: await provider.side.member(),
    siteSides: await Promise.all(sites.map(({ side }) => side.member())),
    diagnosis: {
      providerKey: key,
      confidence,
      message,
      suggestion,
      ...(severity ? { severity } : {}),
      ...(tags ? { tags } : {}),
      sitesAreOfBranch: true,
      provider: { ...placeOf(provider), removed: provider.removed === true },
    },
  };
}

function placeOf({ file, line, name }: Spot): Place {
  return { file, line, column: 1, endLine: line, symbol: symbolId(file, name) };
}
