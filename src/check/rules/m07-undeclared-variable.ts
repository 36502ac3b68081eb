import type { Rule } from './rule.ts';
import { declaredIn, declaresVariables } from './survey/environment.ts';
import type { Sighting, Survey } from './survey/survey.ts';

export const undeclaredVariable = {
  id: 'M07',
  name: 'undeclared-variable',
  category: 'dependency',
  severity: 'blocking',
  languages: ['any'],
  precision: 0.9,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'One branch renames or removes an environment variable where it is declared (`.env.example`, compose file, Dockerfile, workflow, manifest of Kubernetes), and another branch adds code that reads it. Nothing declares it then.',
  example: { a: ['- DATABASE_URL=…', '+ PG_URL=…'], b: ['+ connect(process.env.DATABASE_URL)'] },
  move: 'Read the new variable, or declare the old one as well.',
  proof: ['likely'],
  owner: 'consumer',
  detect: { survey: readsOfUndeclared },
} satisfies Rule;

async function readsOfUndeclared(survey: Survey): Promise<Sighting[]> {
  const found: Sighting[] = [];
  for (const remover of survey.sides)
    for (const [file, { environment }] of await remover.news())
      for (const { name, line } of environment?.undeclared ?? [])
        for (const side of survey.sides) {
          if (side === remover || !survey.isApart(side, remover)) continue;
          const reads = [...(await side.news())].flatMap(([path, news]) =>
            (news.environment?.reads ?? []).flatMap((each) =>
              each.name === name ? [{ side, file: path, line: each.line, name }] : [],
            ),
          );
          const [first, ...more] = reads;
          if (!first || (await isDeclared(survey, [survey.union ?? remover.tree, remover.tree], name)))
            continue;
          found.push({
            key: `variable ${name}`,
            provider: { side: remover, file, line, name, removed: true },
            sites: [first, ...more],
            subject: name,
            confidence: 'likely',
            message: `${remover.ref} no longer declares ${name} in ${file}; ${side.ref} adds code that reads it`,
            suggestion: `read what ${remover.ref} declares instead, or declare ${name} as well`,
          });
        }
  return found;
}

async function isDeclared(survey: Survey, trees: readonly Survey['from'][], name: string): Promise<boolean> {
  for (const tree of trees)
    for (const path of (await survey.holding(tree, [name])).filter(declaresVariables)) {
      const text = (await survey.read(tree, path)) ?? '';
      if (declaredIn(text).some((each) => each.name === name)) return true;
    }
  return false;
}
