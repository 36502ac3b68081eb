import { isTautology, matcherStrength } from './assertion-strength.ts';
import { closing, endOfBlock, splitArguments } from './mask-code.ts';
import { statementEnds } from './script-guards.ts';
import { type Assertion, spelled } from './test-case.ts';

const assertionStart =
  /(?<![\w$.])(?:(expect)(?:\.(?:soft|poll))?\s*\(|(?:(assert)|(?:t|tap|chai|node)\.(assert)|(t))\s*\.\s*([\w$]+)\s*\(|(assert[\w$]*|strictEqual|deepStrictEqual|deepEqual|notStrictEqual|throws|rejects)\s*\(|([\w$.()[\]]{1,80})\.should\b)/g;
/** Methods of `t.` that are not assertions. */
const notAnAssertion =
  /^(test|skip|todo|plan|end|log|comment|pass|teardown|after|before|afterEach|beforeEach|context|mock|diagnostic|timeout|name|step|subtest|runOnly|title|signal)$/;

export type LocatedAssertion = Omit<Assertion, 'line'> & { readonly at: number };

/** Assertions between two offsets of a script. */
export function* assertionsOf(
  text: string,
  masked: string,
  from: number,
  to: number,
): Iterable<LocatedAssertion> {
  // Searches only inside the range: the rest may be long and contains none of its assertions.
  for (const match of masked.slice(from, to).matchAll(assertionStart)) {
    const at = from + match.index;
    const [, isExpect, , , , member, free, should] = match;
    if (member !== undefined && notAnAssertion.test(member)) continue;
    if (isExpect === undefined && should === undefined) {
      yield callAssertion(text, masked, at, at + match[0].length - 1, member ?? free ?? 'assert');
      continue;
    }
    const open = at + match[0].length - 1;
    const behind = isExpect === undefined ? at + match[0].length : closing(masked, open);
    const subject = spelled(isExpect === undefined ? (should ?? '') : text.slice(open + 1, behind - 1));
    const chain = readChain(text, masked, behind);
    const negated = chain.words.includes('not') || chain.words.includes('never');
    const isAwaited = /\b(await|return|=>)\s*$/.test(masked.slice(Math.max(0, at - 10), at));
    const isPromise = chain.words.some((word) => word === 'resolves' || word === 'rejects');
    const isSwallowed = chain.words.includes('catch') || chain.matcher === '' || (isPromise && !isAwaited);
    const strength = isTautology(subject, chain.args)
      ? 0
      : isSwallowed
        ? 1
        : matcherStrength(chain.matcher, chain.args, negated);
    const demand = spelled(text.slice(behind, chain.end));
    yield { at, subject, demand, text: spelled(text.slice(at, chain.end)), strength };
  }
}

function callAssertion(text: string, masked: string, at: number, open: number, name: string) {
  const end = closing(masked, open);
  const [subject = '', ...args] = splitArguments(
    text.slice(open + 1, end - 1),
    masked.slice(open + 1, end - 1),
  ).map(spelled);
  const isPlain = name === 'assert' || name === 'ok';
  const compared = isPlain ? /(?<![=!<>])(===?)(?!=)/.test(subject) : false;
  const tautology = isPlain ? isTautology(subject, []) : isTautology(subject, args.slice(0, 1));
  const strength = tautology ? (0 as const) : compared ? (4 as const) : matcherStrength(name, args, false);
  return {
    at,
    subject: compared ? (subject.split(/===?/)[0] ?? '') : subject,
    text: spelled(text.slice(at, end)),
    strength,
  };
}

/** `.not.toEqual(…)`, `.to.be.true`, `.resolves.toBe(…)`. */
function readChain(text: string, masked: string, from: number) {
  const words: string[] = [];
  let args: string[] = [];
  let matcher = '';
  let at = from;
  for (;;) {
    const step = /^\s*\??\.\s*([\w$]+)\s*/.exec(masked.slice(at, at + 200));
    if (!step) break;
    const word = step[1] ?? '';
    words.push(word);
    at += step[0].length;
    if (masked[at] === '(') {
      const end = closing(masked, at);
      if (word !== 'catch' && word !== 'then') {
        matcher = word;
        args = splitArguments(text.slice(at + 1, end - 1), masked.slice(at + 1, end - 1)).map(spelled);
      }
      at = end;
    } else if (
      !/^(to|be|been|is|that|which|and|has|have|with|at|of|same|but|does|still|also|not|deep|resolves|rejects|soft)$/.test(
        word,
      )
    )
      matcher = word;
  }
  return { words, args, matcher, end: at };
}

/** Ranges after a bare `return`, up to the end of the block. */
export function behindReturns(masked: string): [number, number][] {
  return [...masked.matchAll(/[;{}]\s*return\s*(?=;|\}|\n)/g)].map(({ index, 0: all }) => {
    const from = index + all.length;
    return [from, endOfBlock(masked, from)];
  });
}

/** Ranges whose assertions never count: after a bare `return`, in `if (false)`, in a `try` that swallows the failure. */
export function deadRanges(masked: string): [number, number][] {
  const dead = behindReturns(masked);
  const endOfStatement = statementEnds(masked);
  for (const { index, 0: all } of masked.matchAll(/\bif\s*\(\s*(false|0|!1|!true|null|undefined)\s*\)\s*/g)) {
    const at = index + all.length;
    dead.push([at, masked[at] === '{' ? closing(masked, at) : endOfStatement(at)]);
  }
  for (const { index } of masked.matchAll(/\btry\s*(?=\{)/g)) {
    const open = masked.indexOf('{', index);
    const end = closing(masked, open);
    const caught = /^\s{0,200}catch\s{0,20}(\([^)]*\))?\s{0,20}(?=\{)/.exec(masked.slice(end, end + 300));
    if (!caught) continue;
    const from = end + caught[0].length;
    const handler = masked.slice(from, closing(masked, from));
    if (!/\b(throw|expect|assert\w*|fail|reject|done|next|should|t\.\w+)\b/.test(handler))
      dead.push([open, end]);
  }
  return dead;
}
