import type { CriterionVerdict, ReviewerAnswer } from '#schema/review.ts';

type Status = CriterionVerdict['status'];

/** The worst first. */
const order: readonly Status[] = ['missing', 'partial', 'unclear', 'met'];

interface Answered {
  readonly reviewer: string;
  readonly answer: Pick<ReviewerAnswer, 'criteria'>;
}

/** Every requested criterion with each reviewer's verdict. `met` needs evidence that exists. */
export function judgeCriteria(
  asked: readonly string[],
  answers: readonly Answered[],
  hasFile: (path: string) => boolean,
): CriterionVerdict[] {
  return asked.map((text) => {
    const said = answers.map(({ reviewer, answer }) => {
      const found = answer.criteria.find((each) => same(each.text, text));
      const status: Status = found ? withEvidence(found, hasFile) : 'unclear';
      return { reviewer, status, evidence: found?.evidence.trim() ?? 'not answered' };
    });
    const status = order.find((each) => said.some((one) => one.status === each)) ?? 'unclear';
    const by = said.map(({ reviewer, status: one, evidence }) => [
      reviewer,
      evidence === '' ? one : `${one}: ${evidence}`,
    ]);
    return { text, status, by: Object.fromEntries(by) as Record<string, string> };
  });
}

function same(a: string, b: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return plain(a) === plain(b);
}

/** A claim without a place, or with a place that does not exist, is a guess. */
function withEvidence(
  { status, evidence }: ReviewerAnswer['criteria'][number],
  hasFile: (path: string) => boolean,
): Status {
  if (status !== 'met') return status;
  const files = (evidence.match(/[\w./@-]+/g) ?? []).map(pathIn);
  return files.some(hasFile) ? 'met' : 'unclear';
}

/** Cuts what follows the extension: `src/a.ts.` at the end of a sentence is `src/a.ts`. */
function pathIn(word: string): string {
  const plain = word.replace(/(?<![./@-])[./@-]+$/, '');
  const dot = plain.lastIndexOf('.');
  return dot < 0 ? '' : plain.slice(0, dot + 1) + (/^\w+/.exec(plain.slice(dot + 1))?.[0] ?? '');
}
