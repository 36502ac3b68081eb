import { shellWord } from '#lib/shell-word.ts';
import { visible } from '#lib/visible.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { checkedRefs, describeMovers, moversOf } from './wording.ts';

/** A command to type next, and when. */
interface NextCommand {
  readonly when: string;
  readonly command: string;
}

const mostArguments = 8;

export function nextCommand(report: CheckReport, isBare: boolean): NextCommand | null {
  switch (report.status) {
    case 'pass':
      return landing(report, isBare);
    case 'undecided':
      if (report.findings.some(({ effect }) => effect === 'asks')) return byTests(report);
      return report.inconclusive.some(({ file }) => file !== undefined)
        ? recheck(report, 'when these files are fixed')
        : { when: 'to see what is missing', command: 'joinery doctor' };
    case 'fail':
      return recheck(report, whenMoved(report));
  }
}

/** Your own tests, run on the union, are the judge that every project has. */
function byTests(report: CheckReport): NextCommand | null {
  const again = recheck(report, 'to let your tests on the union decide');
  return again && { ...again, command: `${again.command} --confirm tests` };
}

function whenMoved(report: CheckReport): string {
  const movers = moversOf(report);
  if (movers.length === 0) return 'when that is settled';
  return `when ${describeMovers(report)} ${movers.length === 1 ? 'has' : 'have'} changed`;
}

/** Lands what fits, in this order: with its gates and tests, and a receipt. */
export function landing({ base, branches, landable }: CheckReport, isBare: boolean): NextCommand | null {
  // A worktree has uncommitted work, which has no commit to land.
  if (landable.length === 0 || landable.some((ref) => /^[./-]/.test(ref))) return null;
  // HEAD means another commit once base is checked out.
  const fixed = (ref: string) =>
    /^(?:HEAD|@)(?![\w-])/.test(ref)
      ? branches.find((branch) => branch.ref === ref)?.commit.slice(0, 12)
      : ref;
  const first = landable.slice(0, mostArguments);
  const words = [base.ref, ...first].map((ref) => typedWord(fixed(ref) ?? ref));
  if (words.includes(null) || base.ref.startsWith('-')) return null;
  const [target, ...names] = words;
  const rest = landable.length - first.length;
  const what =
    rest === 0 ? 'to land what fits' : `to land the first ${first.length} of ${landable.length} that fit`;
  return {
    when: isBare ? `${what}, in a repository without a checkout` : what,
    command: `joinery integrate --into ${target} --land ${names.join(' ')}`,
  };
}

/** Says that the first name was taken as the base, where that may surprise: `joinery check feat/a feat/b`. */
export function baseHint(report: CheckReport, passedOver: string | null): string[] {
  if (passedOver === null) return [];
  const refs = [report.base.ref, ...report.branches.map(({ ref }) => ref)];
  const words = [passedOver, ...refs].map(typedWord);
  const isTypeable =
    refs.length <= mostArguments && !words.includes(null) && !refs.some((ref) => ref.startsWith('-'));
  const names = isTypeable ? words.slice(1).join(' ') : '…';
  return [
    `The first name is the base; to check ${report.base.ref} too: joinery check --base ${words[0] ?? '…'} ${names}`,
  ];
}

/** The same check again or, with many branches, as much of it as a person would type. */
function recheck(report: CheckReport, when: string): NextCommand | null {
  const sets = [
    checkedRefs(report),
    report.blocked.map(({ ref }) => ref),
    commonPattern(checkedRefs(report)),
  ];
  const refs = sets.find((set) => set.length <= mostArguments) ?? [];
  const words = [report.base.ref, ...refs].map(typedWord);
  if (words.includes(null)) return null;
  const end = [report.base.ref, ...refs].some((ref) => ref.startsWith('-')) ? '-- ' : '';
  return { when, command: `joinery check ${end}${words.join(' ')}` };
}

/** A check without names covers local branches only: many remote ones (`origin/…`) need a common pattern. */
function commonPattern(refs: readonly string[]): string[] {
  const [first = ''] = refs;
  const folder = first.slice(0, first.indexOf('/') + 1);
  return /^[^./]/.test(folder) && refs.every((ref) => ref.startsWith(folder)) ? [`${folder}*`] : [];
}

/** null if it cannot be typed. */
function typedWord(word: string): string | null {
  return word === '' || visible(word) !== word ? null : shellWord(word);
}
