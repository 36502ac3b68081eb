import { posix } from 'node:path';
import { isTestFile } from '#tests/code/test-path.ts';
import type { Rule } from './rule.ts';
import { meetings, type Sighting, type Spot, type Survey } from './survey/survey.ts';

export const testNameCollision = {
  id: 'K02',
  name: 'test-name-collision',
  category: 'connection',
  severity: 'minor',
  languages: ['any'],
  precision: 0.9,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'Two branches each add a test, a test module or a fixture of the same name where one of the two then hides the other or stops the test runner: the same title in one file, test modules of one name in folders without `__init__.py` (pytest), a fixture of the same name in a folder above, a function of the same name in one Go package.',
  example: {
    a: ['+ tests/api/test_users.py'],
    b: ['+ tests/web/test_users.py   # no __init__.py in either'],
  },
  move: 'Give one of the two another name.',
  proof: ['likely'],
  owner: 'either',
  givesWay: true,
  detect: { survey: collisions },
} satisfies Rule;

async function collisions(survey: Survey): Promise<Sighting[]> {
  const titles = new Map<string, Spot[]>();
  const fixtures = new Map<string, Spot[]>();
  const modules = new Map<string, Spot[]>();
  const into = (map: Map<string, Spot[]>, key: string, named: Spot) =>
    map.set(key, [...(map.get(key) ?? []), named]);
  for (const side of survey.sides) {
    for (const [file, { tests }] of await side.news()) {
      for (const { id, line } of tests?.added ?? [])
        into(titles, `${file.endsWith('.go') ? posix.dirname(file) : file} ${id}`, {
          side,
          file,
          line,
          name: id,
        });
      for (const { name, line } of tests?.fixtures ?? []) into(fixtures, name, { side, file, line, name });
    }
    for (const { path, status } of side.changes)
      if (status === 'added' && path.endsWith('.py') && isTestFile(path))
        into(modules, posix.basename(path), { side, file: path, line: 1, name: posix.basename(path) });
  }
  return [
    ...met(survey, titles, 'test', ({ name }) => `both add a test ${JSON.stringify(name)}`),
    ...met(
      survey,
      fixtures,
      'fixture',
      ({ name }) => `both add a fixture ${name}, and the one in the inner folder hides the other`,
      isNested,
    ),
    ...(await clashingModules(survey, modules)),
  ];
}

function met(
  survey: Survey,
  all: ReadonlyMap<string, readonly Spot[]>,
  kind: string,
  says: (named: Spot) => string,
  clash: (a: Spot, b: Spot) => boolean = () => true,
): Sighting[] {
  return [...all].flatMap(([key, items]) =>
    meetings(survey, items)
      .filter(([first, second]) => clash(first, second))
      .map(([first, second]) => ({
        key: `${kind} ${key}`,
        provider: first,
        sites: [second] as const,
        subject: first.name,
        confidence: 'likely' as const,
        message: `${first.side.ref} and ${second.side.ref} ${says(first)}`,
        suggestion: `give one of the two another name`,
      })),
  );
}

function isNested(a: Spot, b: Spot): boolean {
  const [left, right] = [posix.dirname(a.file), posix.dirname(b.file)];
  return left !== right && (`${left}/`.startsWith(`${right}/`) || `${right}/`.startsWith(`${left}/`));
}

/** Without packages pytest imports both under one name and stops. */
async function clashingModules(
  survey: Survey,
  modules: ReadonlyMap<string, readonly Spot[]>,
): Promise<Sighting[]> {
  const isLoose = ({ side, file }: Spot) =>
    (survey.union ?? side.tree).blob(posix.join(posix.dirname(file), '__init__.py')) === undefined;
  const found = met(
    survey,
    modules,
    'module',
    ({ name }) => `both add a test module ${name}, and pytest cannot import two of one name`,
    (a, b) => posix.dirname(a.file) !== posix.dirname(b.file) && isLoose(a) && isLoose(b),
  );
  if (found.length === 0) return [];
  for (const settings of ['pyproject.toml', 'pytest.ini', 'setup.cfg', 'tox.ini'])
    if (/import.?mode\W+importlib/.test((await survey.read(survey.union ?? survey.from, settings)) ?? ''))
      return [];
  return found;
}
