import { claimKinds, type GateKind } from '#schema/gates.ts';

/** A statement of success in a text. */
export interface TextClaim {
  readonly claim: GateKind;
  /** The sentence. */
  readonly text: string;
  /** The number of passed tests; null if the text has none. */
  readonly passed: number | null;
}

const success =
  '(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|success(?:ful(?:ly)?)?|green|clean(?:ly)?|ok(?:ay)?|fine|works?|no (?:errors|issues|problems|warnings|failures)|0 errors|✓|✔|✅)';
const subjects: Readonly<Record<(typeof claimKinds)[number], string>> = {
  test: '(?:tests?|test suite|specs?|suite)',
  build: '(?:builds?|build|compiles?|compiled|compilation)',
  lint: '(?:lint(?:s|er|ing|ed)?|eslint|ruff|biome|clippy)',
  typecheck: '(?:type[- ]?check(?:s|er|ing|ed)?|types|tsc|mypy|pyright)',
};
const patterns = claimKinds.map((claim) => ({
  claim,
  pattern: new RegExp(
    String.raw`\b${subjects[claim]}\b.{0,80}?${success}(?![a-z])|${success}[^.]{0,30}\b${subjects[claim]}\b`,
    'i',
  ),
}));
const counted =
  /\b(\d+) (?:of \d+ )?(?:unit |integration )?(?:tests? |specs? )?(?:pass(?:ed|ing|es)?|green|ok)\b/i;
const fraction = /\b(\d+) ?\/ ?(\d+)\b/;
const negated =
  /\b(?:not|never|cannot|can't|don't|doesn't|didn't|won't|fail(?:s|ing|ure|ures)?|broken|unless|should|todo)\b/i;

/** Sentences that claim success. A sentence about a failure, or about what should be, claims nothing. */
export function claimsIn(text: string): TextClaim[] {
  return sentencesIn(text).flatMap((sentence) => {
    const plain = sentence.replace(/\b(?:0|no) (?:tests? )?fail(?:ed|ures?|ing)?\b/gi, '');
    const isCounted = counted.test(plain);
    if (negated.test(plain)) return [];
    return patterns
      .filter(({ claim, pattern }) => pattern.test(plain) || (claim === 'test' && isCounted))
      .map(({ claim }) => ({ claim, text: sentence, passed: claim === 'test' ? numberIn(plain) : null }));
  });
}

function sentencesIn(text: string): string[] {
  return text
    .split(/\n|(?<=[.!?;])\s+|,\s+(?=(?:and )?(?:the )?(?:build|lint|types?|tests?)\b)/i)
    .map((sentence) => sentence.replace(/^[-*#>\s]+/, '').trim())
    .filter((sentence) => sentence !== '');
}

function numberIn(sentence: string): number | null {
  const found =
    counted.exec(sentence)?.[1] ??
    fraction.exec(sentence)?.[1] ??
    /\b(\d+) (?:\w+ )?(?:tests|specs)\b/i.exec(sentence)?.[1];
  return found === undefined ? null : Number(found);
}
