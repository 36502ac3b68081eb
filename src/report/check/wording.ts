import { endingOf } from '#lib/file-ending.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import { rules } from '#schema/rules.ts';
import { breaks, gapIn, holdsBack } from '#schema/verdict.ts';
import { isForPeople, isOpinion } from './groups.ts';

/** `1 finding`, `2 findings`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The first names, and the number of the others. */
export function capped(
  names: readonly string[],
  most: number,
  more = (count: number) => `and ${count} more`,
): string[] {
  return names.length <= most ? [...names] : [...names.slice(0, most), more(names.length - most)];
}

/** What a finding is for a reader, by what it does: most urgent first. */
const labels = [
  'blocking',
  'undecided',
  'important',
  'unproven',
  'refuted',
  'accepted',
  'minor',
  'info',
] as const;

/** `undecided`: it would break, and nobody has judged it. `unproven`: the same where the project does not ask. */
export function labelOf({ severity, effect, refuted, accepted }: Finding): (typeof labels)[number] {
  if (accepted !== undefined) return 'accepted';
  if (refuted !== undefined) return 'refuted';
  if (effect === 'asks') return 'undecided';
  return breaks({ severity }) && effect !== 'stops' ? 'unproven' : severity;
}

/** `proven by tsc`, `likely`: how sure the reading is, and who judged it. */
export function certaintyOf({ confidence, judge, refuted, accepted }: Finding): string {
  if (accepted !== undefined)
    return `${confidence}, accepted by ${judge?.slice(judge.indexOf(':') + 1)}: ${accepted}`;
  if (refuted !== undefined) return `${confidence}, refuted: ${refuted}`;
  if (judge === null || judge === 'facts') return confidence;
  return `${confidence} by ${judge.startsWith('compiler:') ? judge.slice('compiler:'.length) : judge.slice(0, judge.indexOf(':'))}`;
}

/** `1 blocking finding and 2 important`, the most urgent first; empty if there is none. */
export function countByLabel(findings: readonly Finding[]): string {
  const counts = labels
    .map((label) => ({ label, count: findings.filter((each) => labelOf(each) === label).length }))
    .filter(({ count }) => count > 0);
  return listed(
    counts.map(({ label, count }, index) =>
      index === 0 ? counted(count, `${label} finding`) : `${count} ${label}`,
    ),
  );
}

/** `S02 use-of-renamed-symbol`. */
export function ruleTitle(id: string): string {
  if (id === 'opinion') return 'opinion of a model';
  const name = rules.find((rule) => rule.id === id)?.name;
  return name === undefined ? id : `${id} ${name}`;
}

/** Branches that took part; the others are empty, merged or listed twice. */
export function checkedRefs({ branches }: Pick<CheckReport, 'branches'>): string[] {
  return branches.filter(({ state }) => state === 'checked' || state === 'conflicted').map(({ ref }) => ref);
}

/** The verdict in one sentence, and what to do about it in a second. */
export function headline(report: CheckReport): string {
  const { base, inconclusive } = report;
  const refs = checkedRefs(report);
  const decided = report.findings.filter((finding) => isForPeople(finding) && !isOpinion(finding));
  const counts = countByLabel(decided);
  const only = refs.length === 1 ? refs[0] : undefined;
  switch (report.status) {
    case 'pass': {
      const rest = counts === '' ? '' : `; ${counts} to look at`;
      if (refs.length === 0) return `Nothing to check: no branch changes ${base.ref}${rest}.`;
      // A path is a worktree, whose work git cannot merge before it is committed.
      const merge = refs.some((ref) => /^[./]/.test(ref)) ? 'commit and merge' : 'merge';
      return only === undefined
        ? `The ${refs.length} branches fit together on ${base.ref}${rest}. Next: ${merge} them.`
        : `${only} fits ${base.ref}${rest}. Next: ${merge} it.`;
    }
    case 'fail': {
      const why = counts || 'their text does not merge';
      const verdict =
        only === undefined ? `The branches do not fit: ${why}` : `${only} does not fit ${base.ref}: ${why}`;
      const movers = describeMovers(report);
      return `${verdict}. Next: ${movers === null ? 'settle what is listed below' : `change ${movers}`}.`;
    }
    case 'undecided': {
      const asking = decided.filter(({ effect }) => effect === 'asks').length;
      const gap =
        gapIn(report) === null ? '' : `${counted(inconclusive.length, 'thing')} could not be read or run`;
      const would =
        asking === 0
          ? ''
          : `${counted(asking, 'finding')} would break ${base.ref}, and nobody has judged ${asking === 1 ? 'it' : 'them'}`;
      const files = inconclusive.some(({ file }) => file !== undefined);
      const next =
        asking > 0
          ? 'let your tests decide, or accept what is right: see below'
          : files
            ? 'fix the files listed below and check again'
            : 'see what is missing: joinery doctor';
      return `Undecided: ${[would, gap].filter((part) => part !== '').join('; ')}. Next: ${next}.`;
    }
  }
}

const mostMovers = 3;

/** The branches that have to change, in the order of the report. */
export function moversOf({ branches, findings }: CheckReport): string[] {
  const owners = new Set(findings.filter(holdsBack).map(({ owner }) => owner));
  return branches.map(({ ref }) => ref).filter((ref) => owners.has(ref));
}

/** `feat/a and feat/b`, or `the 30 blocked branches`; null if no branch has to change. */
export function describeMovers(report: CheckReport): string | null {
  const movers = moversOf(report);
  if (movers.length === 0) return null;
  return movers.length > mostMovers ? `the ${movers.length} blocked branches` : listed(movers);
}

const idle = {
  empty: 'no changes',
  merged: 'already merged',
  duplicate: 'same commit as another',
} as const;

/** `feat/x (already merged)`, for each branch that took no part. */
export function idleBranches({ branches }: CheckReport): string[] {
  return branches.flatMap(({ ref, state }) =>
    state === 'checked' || state === 'conflicted' ? [] : [`${ref} (${idle[state]})`],
  );
}

/** Which branches were not compared with all others, and why. */
export function leftOutNotes({ base, branches, union: { excluded } }: CheckReport, most: number): string[] {
  const conflicted = branches.filter(({ state }) => state === 'conflicted').map(({ ref }) => ref);
  const others = excluded.filter((ref) => !conflicted.includes(ref));
  const isAlone = checkedRefs({ branches }).length === 1;
  return [
    ...(conflicted.length > 0 && !isAlone
      ? [`In conflict with ${base.ref}, so compared with it alone: ${capped(conflicted, most).join(', ')}`]
      : []),
    ...(others.length > 0
      ? [`In conflict with others, so not part of the union of all: ${capped(others, most).join(', ')}`]
      : []),
  ];
}

const mostReasons = 5;

/** `2 findings accepted by this project: the old importer goes in May`; empty if there are none. */
export function ignoredNote({ ignored = [] }: CheckReport): string[] {
  if (ignored.length === 0) return [];
  const reasons = [...new Set(ignored.map(({ reason }) => reason))];
  return [
    `${counted(ignored.length, 'finding')} accepted by this project: ${capped(reasons, mostReasons).join('; ')}`,
  ];
}

const mostExamples = 3;

/** `3 .go files compared as text only; not followed: 2 packages (react, zod)`; empty if everything was read. */
export function coverageNote({ coverage, checkers = [] }: CheckReport): string[] {
  if (!coverage) return [];
  const { textOnly, unchecked = [], unparsed = [], submodules = [], packages, imports, classes } = coverage;
  // A type checker that could follow every import has read the packages.
  const hasReadPackages =
    checkers.length > 0 && checkers.every(({ unresolvedImports }) => unresolvedImports === 0);
  const gaps = [
    ...examples(submodules, 'submodule', 'submodules'),
    ...examples(hasReadPackages ? [] : packages, 'package', 'packages'),
    ...examples(imports, 'import', 'imports'),
    ...examples(
      classes.map((id) => id.slice(id.lastIndexOf('#') + 1)),
      'class',
      'classes',
    ),
  ];
  const parts = [
    ...ofEndings(textOnly).map((files) => `${files} compared as text only`),
    ...ofEndings(countEndings(unparsed)).map(
      (files) =>
        `${files} ${unparsed.length === 1 ? 'does not parse and was' : 'do not parse and were'} compared as text only`,
    ),
    ...(gaps.length > 0 ? [`not followed: ${listed(gaps)}`] : []),
    ...ofEndings(unchecked).map((files) => `no type checker or compiler read ${files}`),
  ];
  return parts.length === 0 ? [] : [parts.join('; ')];
}

const mostEndings = 5;

/** `2 .swift and 1 .kt files`, `9 .kt, 3 .lua, … and 7 other files`; empty if there are none. */
function ofEndings(endings: readonly { readonly ending: string; readonly files: number }[]): string[] {
  if (endings.length === 0) return [];
  const count = (some: typeof endings) => some.reduce((sum, { files }) => sum + files, 0);
  const shown = endings.length > mostEndings + 1 ? endings.slice(0, mostEndings) : endings;
  const others = count(endings.slice(shown.length));
  const each = shown.map(({ ending, files }) => (ending === '' ? `${files}` : `${files} ${ending}`));
  const all = others > 0 ? [...each, `${others} other`] : each;
  return [`${listed(all)} ${count(endings) === 1 ? 'file' : 'files'}`];
}

function countEndings(paths: readonly string[]): { ending: string; files: number }[] {
  return [...Map.groupBy(paths, endingOf)].map(([ending, { length }]) => ({ ending, files: length }));
}

/** `4 packages (react, zod, vite, and 1 more)`. */
function examples(names: readonly string[], one: string, many: string): string[] {
  if (names.length === 0) return [];
  return [`${names.length} ${names.length === 1 ? one : many} (${capped(names, mostExamples).join(', ')})`];
}
