import type { VersionConstant } from '#code/formats/shared/data-facts.ts';
import { directoryOf } from '#code/resolve/repository-path.ts';
import { type At, changedData } from './data/changed-data.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey, SurveyedBranch } from './survey/survey.ts';

export const formatVersionClash = {
  id: 'C12',
  name: 'format-version-clash',
  category: 'schema',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.9,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 18, real: 18 },
  what: 'Two branches raise the version of one stored format to the same value, each for a change of its own. Data written by the one is then taken for data of the other.',
  example: { a: ['+ SCHEMA_VERSION = 8   # adds x'], b: ['+ SCHEMA_VERSION = 8   # adds y'] },
  move: 'Let the branch that lands later take the next version.',
  proof: ['proven'],
  owner: 'either',
  detect: { survey: versionsTakenTwice },
} satisfies Rule;

async function versionsTakenTwice(survey: Survey): Promise<Sighting[]> {
  const raised: At<VersionConstant>[] = [];
  for (const { side, file, before, after } of [...(await changedData(survey)).values()].flat())
    for (const version of after.versions ?? []) {
      const old = before.versions?.find(({ name }) => name === version.name);
      if (old && old.value !== version.value && changesLayout(side, file))
        raised.push({ ...version, side, file });
    }
  const found: Sighting[] = [];
  for (const group of Map.groupBy(raised, ({ file, name, value }) => `${file}#${name} ${value}`).values())
    for (const [index, second] of group.entries()) {
      const first = group.slice(0, index).find((each) => isOther(survey, each, second));
      if (!first) continue;
      found.push({
        key: `version:${first.file}#${first.name}`,
        provider: first,
        sites: [second],
        subject: first.name,
        isOfOneThing: true,
        confidence: 'proven',
        message: `${first.side.ref} and ${second.side.ref} both raise ${first.name} to ${first.value}, each for changes of its own`,
        suggestion: `let the branch that lands later take the next version`,
      });
    }
  return found;
}

/** It changes something besides the number: in its file, or in the folder. */
function changesLayout(side: SurveyedBranch, file: string): boolean {
  return side.changes.some(({ path }) => path !== file && directoryOf(path) === directoryOf(file));
}

/** Each has changes that the other lacks. */
function isOther(survey: Survey, a: At<VersionConstant>, b: At<VersionConstant>): boolean {
  if (a.side === b.side || !survey.isApart(a.side, b.side)) return false;
  const folder = directoryOf(a.file);
  const blobs = ({ side }: At<VersionConstant>) =>
    side.changes
      .filter(({ path }) => directoryOf(path) === folder)
      .map(({ path }) => `${path} ${side.tree.blob(path)}`);
  const [ofA, ofB] = [blobs(a), blobs(b)];
  return ofA.some((each) => !ofB.includes(each)) && ofB.some((each) => !ofA.includes(each));
}
