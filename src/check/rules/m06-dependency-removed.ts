import type { Rule } from './rule.ts';
import { dependenciesOf, folderOfManifest, isManifest } from './survey/manifests.ts';
import type { Sighting, Survey, SurveyedBranch } from './survey/survey.ts';

export const dependencyRemoved = {
  id: 'M06',
  name: 'dependency-removed',
  category: 'dependency',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.95,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'One branch removes a package from the manifest, and another branch adds an import of it. Together the import fails, unless another package happens to install it.',
  example: { a: ['- "lodash" in package.json'], b: ['+ import debounce from "lodash/debounce"'] },
  move: 'Keep the package, or import something else.',
  proof: ['likely'],
  owner: 'consumer',
  givesWay: true,
  detect: { survey: importsOfRemoved },
} satisfies Rule;

/** Python packages that are imported under another name. */
const importedAs: Readonly<Record<string, string>> = {
  pyyaml: 'yaml',
  pillow: 'PIL',
  beautifulsoup4: 'bs4',
  'python-dateutil': 'dateutil',
  'scikit-learn': 'sklearn',
  'opencv-python': 'cv2',
  'python-dotenv': 'dotenv',
  'psycopg2-binary': 'psycopg2',
};

async function importsOfRemoved(survey: Survey): Promise<Sighting[]> {
  const found: Sighting[] = [];
  for (const remover of survey.sides)
    for (const [manifest, { dependencies }] of await remover.news())
      for (const { system, name, line } of dependencies?.gone ?? []) {
        const imported = system === 'npm' ? name : (importedAs[name] ?? name.replaceAll('-', '_'));
        for (const side of survey.sides) {
          if (side === remover || !survey.isApart(side, remover)) continue;
          const [first, ...more] = await importsIn(side, folderOfManifest(manifest), imported, system);
          if (!first || (await isStillThere(survey, remover, side, system, name))) continue;
          found.push({
            key: `${manifest}#${name}`,
            provider: { side: remover, file: manifest, line, name, removed: true },
            sites: [first, ...more],
            subject: name,
            confidence: 'likely',
            message: `${remover.ref} removes the package ${name} from ${manifest}; ${side.ref} adds an import of it`,
            suggestion: `keep ${name} in ${manifest}, or import something else`,
          });
        }
      }
  return found;
}

async function importsIn(side: SurveyedBranch, folder: string, name: string, system: 'npm' | 'python') {
  const isBelow = (file: string) => folder === '.' || file.startsWith(`${folder}/`);
  const speaks = (file: string) => /\.pyi?$/.test(file) === (system === 'python');
  return [...(await side.news())].flatMap(([file, { imports }]) =>
    (isBelow(file) && speaks(file) ? (imports ?? []) : [])
      .filter((each) => each.name === name)
      .map(({ line }) => ({ side, file, line, name })),
  );
}

/** Another manifest requires it, or the other branch adds it again. */
async function isStillThere(
  survey: Survey,
  remover: SurveyedBranch,
  user: SurveyedBranch,
  system: string,
  name: string,
): Promise<boolean> {
  const added = [...(await user.news()).values()].flatMap(({ dependencies }) => dependencies?.added ?? []);
  if (added.some((each) => each.name === name && each.system === system)) return true;
  for (const path of remover.tree.matching(isManifest)) {
    const text = (await survey.read(remover.tree, path)) ?? '';
    if (dependenciesOf(path, text).some((each) => each.name === name && each.system === system)) return true;
  }
  return false;
}
