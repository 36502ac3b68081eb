import { posix } from 'node:path';
import type { Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';
import { isCode } from '#code/languages/index.ts';
import { escapePattern } from '#lib/escape-pattern.ts';
import { isTestCode } from '#tests/code/test-path.ts';

const fewestFeatures = 3;
const mostFeatures = 12;

/** A new file of a feature, and the file that names those of the other features. */
interface UnnamedFeature {
  readonly side: SurveyedBranch;
  readonly path: string;
  readonly registry: string;
}

/**
 * Projects with a folder for each feature: `src/orders/orders.module.ts`, `app/orders/router.py`. A new feature without a place in the file
 * that names the same file of all other features is not connected.
 */
export async function unnamedFeatures(survey: Survey): Promise<UnnamedFeature[]> {
  const found: UnnamedFeature[] = [];
  for (const side of survey.sides) {
    if (side.isBase) continue;
    for (const { path, status } of side.changes) {
      const folder = posix.dirname(path);
      const isNew = status === 'added' && isCode(path) && !isTestCode(path) && folder.includes('/');
      if (!isNew || survey.from.isDirectory(folder)) continue;
      const registry = await registryOf(survey, path);
      if (registry !== null && !(await isNamed(survey, side, path))) found.push({ side, path, registry });
    }
  }
  return found;
}

// 'src/*/*.module.ts' for src/orders/orders.module.ts, 'app/*/router.py' for app/orders/router.py
function patternOf(path: string): string {
  const folder = posix.dirname(path);
  const name = posix.basename(path);
  const feature = posix.basename(folder);
  const rest = name.startsWith(`${feature}.`) ? `*${name.slice(feature.length)}` : name;
  return posix.join(posix.dirname(folder), '*', rest);
}

async function registryOf(survey: Survey, path: string): Promise<string | null> {
  const parent = posix.dirname(posix.dirname(path));
  const pattern = patternOf(path);
  const alike = survey.from.matching(
    (other) => posix.dirname(posix.dirname(other)) === parent && patternOf(other) === pattern,
  );
  if (alike.length < fewestFeatures) return null;
  const near = [parent, posix.dirname(parent)];
  const candidates = survey.from.matching(
    (other) => near.includes(posix.dirname(other)) && isCode(other) && !isTestCode(other),
  );
  for (const candidate of candidates.slice(0, 20)) {
    const text = await survey.read(survey.from, candidate);
    if (text !== null && alike.slice(0, mostFeatures).every((each) => namesFeature(text, each)))
      return candidate;
  }
  return null;
}

/** Whether any other code names it, on its side or with all branches together. */
async function isNamed(survey: Survey, side: SurveyedBranch, path: string): Promise<boolean> {
  for (const tree of [side.tree, ...(survey.union ? [survey.union] : [])])
    for (const other of await survey.holding(tree, [posix.basename(posix.dirname(path))])) {
      if (other === path || !isCode(other) || isTestCode(other)) continue;
      const text = await survey.read(tree, other);
      if (text === null || namesFeature(text, path)) return true;
    }
  return false;
}

/** `./orders/orders.module`, `app.orders.router`, `from app.orders import router`. */
function namesFeature(text: string, path: string): boolean {
  const folder = escapePattern(posix.basename(posix.dirname(path)));
  const stem = escapePattern(posix.basename(path).replace(/\.\w+$/, ''));
  const isNamedAtOnce = new RegExp(`\\b${folder}[./]${stem}\\b`).test(text);
  return isNamedAtOnce || new RegExp(`\\b${folder}\\s+import\\b[^\\n]{0,300}\\b${stem}\\b`).test(text);
}
