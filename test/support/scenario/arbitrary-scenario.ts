import fc from 'fast-check';
import { confidences, severities } from '#schema/vocabulary.ts';
import { applyChanges, type Branch, type Changes, type Files, type Scenario } from './scenario.ts';

/** Parts with a meaning in the grammar, and characters that look alike or are invisible. */
const pieces = [
  ...[
    'a',
    'b',
    'x.ts',
    '.',
    ' ',
    '-',
    '--',
    ' --',
    '-- ',
    '(',
    ')',
    ' (deleted)',
    ' (moved from b)',
    '[',
    ']',
    '>',
  ],
  ...['"', '\\', '#', ':', '\t', '\n', 'é', 'e\u0301', '\u200b', '\u2028', '\ufeff', '→', '🦉'],
];

const words = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 6 });
const segment = words.filter((name) => !['', '.', '..', '.git'].includes(name));
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

const line = fc.oneof(
  words,
  fc.constantFrom('', '-- a/x.ts --', '-- users --', '>', 'title: x', '\r', 'a\rb'),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, isEnded]) => Buffer.from(lines.join(end) + (isEnded ? end : '')));
const content = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes)) },
);

const files = fc
  .dictionary(path, content, { maxKeys: 4 })
  .map((record): Files => new Map(Object.entries(record)));

function hasOneKind(paths: Iterable<string>): boolean {
  const all = [...paths];
  return all.every((each) => !all.some((other) => other.startsWith(`${each}/`)));
}

/** Deletes, rewrites and moves files of base, and adds some. */
function changes(base: Files): fc.Arbitrary<Changes> {
  const paths = [...base.keys()];
  return fc
    .record({
      gone: fc.subarray(paths),
      rewritten: fc
        .subarray(paths)
        .chain((some) => fc.tuple(...some.map((each) => fc.tuple(fc.constant(each), content)))),
      moved: fc
        .subarray(paths)
        .chain((some) => fc.tuple(...some.map((each) => fc.tuple(fc.constant(each), path)))),
      added: files,
    })
    .map(({ gone, rewritten, moved, added }) => {
      const all = new Map<string, Buffer | null>([
        ...gone.map((each) => [each, null] as const),
        ...rewritten,
        ...moved.flatMap(([from, to]) => [[from, null] as const, [to, base.get(from) ?? null] as const]),
        ...added,
      ]);
      for (const [each, now] of all) {
        const before = base.get(each);
        if (now === null ? !before : before?.equals(now)) all.delete(each);
      }
      return all;
    })
    .filter((all) => hasOneKind(applyChanges(base, all).keys()));
}

function sides(base: Files): fc.Arbitrary<Pick<Scenario, 'branches' | 'main'>> {
  const named = (name: string): fc.Arbitrary<Branch> => changes(base).map((all) => ({ name, changes: all }));
  return fc.record({
    branches: fc.subarray(['a', 'b', 'c', 'feature-2']).chain((names) => fc.tuple(...names.map(named))),
    main: fc.option(changes(base)),
  });
}

const expectedFinding = fc.record(
  {
    rule: fc.constantFrom('S01', 'T07'),
    severity: fc.constantFrom(...severities),
    confidence: fc.constantFrom(...confidences),
    branches: fc.subarray(['main', 'a', 'b']),
    owner: fc.constantFrom('a', 'b'),
    provider: words,
    consumerFile: path,
  },
  { requiredKeys: ['rule', 'severity', 'confidence', 'branches'] },
);

/** Any scenario that can be written. */
export const arbitraryScenario: fc.Arbitrary<Scenario> = files
  .filter((base) => hasOneKind(base.keys()))
  .chain((base) =>
    fc
      .record({
        title: words.filter((each) => each !== ''),
        rule: fc.constantFrom('S01', 'T07'),
        expected: fc.record(
          {
            status: fc.constantFrom('pass', 'fail', 'undecided'),
            findings: fc.array(expectedFinding, { maxLength: 3 }),
            landable: fc.subarray(['a', 'b']),
          },
          { requiredKeys: ['status', 'findings'] },
        ),
        sides: sides(base),
      })
      .map(({ sides: grown, ...rest }) => ({ ...rest, base, ...grown })),
  );
