import { canDeclare, declaredThings, type NamedThing } from '#check/rules/survey/named-things.ts';
import type { Spot, Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';

/** A script, a target, a job or a service that one side removed and another one starts to use. */
export interface LostThing {
  readonly thing: NamedThing;
  readonly remover: SurveyedBranch;
  /** Where base declared it. */
  readonly file: string;
  readonly user: SurveyedBranch;
  readonly uses: readonly [Spot, ...Spot[]];
}

/** A tool looks these up by name, so plain words such as `docs` are certain here. */
export async function lostThings(survey: Survey): Promise<LostThing[]> {
  const found: LostThing[] = [];
  for (const remover of survey.sides)
    for (const [file, { things }] of await remover.news())
      for (const thing of things?.gone ?? [])
        for (const user of survey.sides) {
          if (user === remover || !survey.isApart(user, remover)) continue;
          const [first, ...more] = await usesOf(thing, user);
          if (!first || (await isDeclared(survey, remover, thing))) continue;
          found.push({ thing, remover, file, user, uses: [first, ...more] });
        }
  return found;
}

async function usesOf({ role, scope, name }: NamedThing, side: SurveyedBranch): Promise<Spot[]> {
  return [...(await side.news())].flatMap(([file, { things }]) =>
    (things?.uses ?? []).flatMap((use) =>
      use.role === role && use.scope === scope && use.name === name
        ? [{ side, file, line: use.line, name }]
        : [],
    ),
  );
}

async function isDeclared(survey: Survey, remover: SurveyedBranch, thing: NamedThing): Promise<boolean> {
  const { role, scope, name } = thing;
  const tree = survey.union ?? remover.tree;
  const files = (await survey.holding(tree, [name])).filter((path) => canDeclare(role, path));
  for (const path of files) {
    const declared = declaredThings(path, (await survey.read(tree, path)) ?? '');
    if (declared.some((each) => each.role === role && each.scope === scope && each.name === name))
      return true;
  }
  return false;
}
