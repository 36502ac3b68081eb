import type { Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { isTestCode } from '#tests/code/test-path.ts';
import type { ChangedText } from './changed-text.ts';

interface Marked {
  readonly option: string;
  readonly line: number;
}

/** Options that a settings file turns on, and new code that such an option would reject. */
export interface StrictnessNews {
  readonly tightened: readonly Marked[];
  readonly refused: readonly Marked[];
}

/** Code that an option rejects, as far as one line shows it. */
const patterns: readonly (readonly [option: string, ending: RegExp, line: RegExp])[] = [
  [
    'noUncheckedIndexedAccess',
    /\.tsx?$/,
    /\b(?:const|let)\s+\w+:\s*(?:string|number|[A-Z]\w*)\s*=\s*\w+\[\w+\];?$/,
  ],
  [
    'erasableSyntaxOnly',
    /\.tsx?$/,
    /^\s*(?:export\s+)?(?:const\s+)?(?:enum|namespace)\s+\w+\s*\{|constructor\([^)]{0,500}\b(?:private|public|readonly)\s/,
  ],
  ['no-console', /\.[cm]?[jt]sx?$/, /\bconsole\.\w+\(/],
  ['no-explicit-any', /\.tsx?$/, /[:<]\s*any\b/],
  ['no-var', /\.[cm]?[jt]sx?$/, /^\s*var\s/],
  ['eqeqeq', /\.[cm]?[jt]sx?$/, /[^=!<>]==[^=]/],
  ['no-non-null-assertion', /\.tsx?$/, /\w!(?:\.|\[|;|\))/],
  ['T20', /\.py$/, /^\s*print\(/],
];
const sameOption: Readonly<Record<string, string>> = {
  noConsole: 'no-console',
  noExplicitAny: 'no-explicit-any',
  noVar: 'no-var',
  noDoubleEquals: 'eqeqeq',
  noNonNullAssertion: 'no-non-null-assertion',
  strict: 'noImplicitAny',
  disallow_untyped_defs: 'untyped defs',
  disallow_incomplete_defs: 'untyped defs',
  ANN: 'untyped defs',
  T201: 'T20',
};
const settings =
  /(^|\/)(tsconfig[\w.-]*\.json|biome\.jsonc?|\.eslintrc[\w.]*|eslint\.config\.\w+|pyproject\.toml|mypy\.ini|setup\.cfg|ruff\.toml)$/;

export function readStrictness(file: ChangedText): StrictnessNews | undefined {
  const { path, before, added } = file;
  if (settings.test(path)) {
    const tightened = added.flatMap(({ line, text }) =>
      optionsIn(path, text).map((option) => ({ option, line })),
    );
    return before === '' || tightened.length === 0 ? undefined : { tightened, refused: [] };
  }
  if (isTestCode(path)) return undefined;
  const forms = patterns.filter(([, ending]) => ending.test(path));
  const refused = [
    ...(forms.length === 0
      ? []
      : added.flatMap(({ line, text }) =>
          /^\s*(\/\/|\*|#)/.test(text)
            ? []
            : forms.flatMap(([option, , form]) => (form.test(text) ? [{ option, line }] : [])),
        )),
    ...untyped(path, file.factsBefore, file.factsAfter),
  ];
  const first = new Map(refused.toReversed().map((each) => [each.option, each]));
  return first.size === 0 ? undefined : { tightened: [], refused: [...first.values()] };
}

function optionsIn(path: string, text: string): string[] {
  const python = /\.(toml|ini|cfg)$/.test(path);
  const on = python
    ? /^\s*(strict|disallow_untyped_defs|disallow_incomplete_defs)\s*=\s*[Tt]rue/.exec(text)?.[1]
    : /(?<![\w-])([\w-]+)["']?\s{0,50}:\s{0,50}(?:true\b|\[?\s{0,50}["'](?:error|warn)["']|2\b)/.exec(
        text,
      )?.[1];
  const selected = python
    ? (text.match(/["'](ANN|T20|T201)["']/g) ?? []).map((code) => code.slice(1, -1))
    : [];
  const named = [...(on ? [on] : []), ...selected].map((name) =>
    python && name === 'strict' ? 'untyped defs' : (sameOption[name] ?? name),
  );
  const known = new Set([...patterns.map(([option]) => option), 'noImplicitAny', 'untyped defs']);
  return named.filter((name) => known.has(name));
}

/** New functions with untyped parameters. */
function untyped(path: string, before: Facts | undefined, after: Facts | undefined): Marked[] {
  const isPython = /\.py$/.test(path);
  if (!after || !(isPython || /\.tsx?$/.test(path))) return [];
  const old = new Set(before?.definitions.map(symbolPath));
  return after.definitions.flatMap((each) => {
    if ((each.kind !== 'function' && each.kind !== 'method') || old.has(symbolPath(each))) return [];
    const isOpen = each.signature?.parameters.some(
      ({ name, type, default: value }) => name !== '' && type === null && value === null,
    );
    return isOpen ? [{ option: isPython ? 'untyped defs' : 'noImplicitAny', line: each.line }] : [];
  });
}
