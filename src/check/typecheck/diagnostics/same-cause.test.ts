import { expect, test } from 'vitest';
import type { FoundIn } from '#check/context.ts';
import type { Finding } from '#schema/check-report.ts';
import type { CheckerFinding } from './blame.ts';
import type { PlacedDiagnostic } from './diagnostic-keys.ts';
import { joinFindings } from './same-cause.ts';

type Place = Pick<PlacedDiagnostic, 'file' | 'line'>;

/** The parts of a finding that are compared: rule, branches, where it was found and what it is about. */
function found(
  rule: string,
  branches: readonly string[],
  consumer: Place,
  provider = 'lib.ts#gone',
): FoundIn {
  const site = { branch: 'b', column: 1, endLine: consumer.line, symbol: '', ...consumer, role: 'consumer' };
  const source = { ...site, file: 'lib.ts', line: 1, endLine: 1, symbol: provider, role: 'provider' };
  const finding = {
    rule,
    branches,
    confidence: 'likely',
    severity: 'important',
    tier: 'R1',
    witness: { output: 'by rule' },
  } as unknown as Finding;
  const places = [
    { site, inUnion: true },
    { site: source, inUnion: false },
  ] as unknown as FoundIn['assembled']['places'];
  return { assembled: { problems: [], finding, places }, unionTree: null, shown: { sites: [], frames: [] } };
}

function said(file: string, line: number, code = 'TS2322', message = 'Not assignable.'): PlacedDiagnostic {
  return { file, line, column: 1, endLine: line, code, message, text: '', symbol: `${file}#` };
}

function byChecker(branches: readonly string[], ...diagnostics: PlacedDiagnostic[]): CheckerFinding {
  const [first = said('x.ts', 1)] = diagnostics;
  return { ...found('V01', branches, first), diagnostics };
}

const pair = ['a', 'b'];
const rulesOf = (all: readonly FoundIn[]) => all.map(({ assembled }) => assembled.finding.rule);

test.each([
  ['at the same place', said('use.ts', 3)],
  ['that names the provider', said('else.ts', 9, 'TS2339', "Property 'gone' does not exist.")],
  [
    'for want of the type that was lost',
    said('use.ts', 9, 'TS7006', "Parameter 'x' implicitly has an 'any' type."),
  ],
])('a diagnostic %s proves the finding of the rule', (_, diagnostic) => {
  const joined = joinFindings(
    [found('S02', pair, { file: 'use.ts', line: 3 })],
    [byChecker(pair, diagnostic)],
  );
  expect(rulesOf(joined)).toEqual(['S02']);
  const { confidence, severity, tier, witness } = joined[0]?.assembled.finding ?? {};
  expect({ confidence, severity, tier }).toEqual({ confidence: 'proven', severity: 'blocking', tier: 'R3' });
  expect(witness?.output).toContain(`by rule\n${diagnostic.file}:${diagnostic.line}:1: ${diagnostic.code}`);
});

test.each([
  ['between other branches', byChecker(['a', 'c'], said('use.ts', 3))],
  ['elsewhere in the file', byChecker(pair, said('use.ts', 9))],
  ['of another file', byChecker(pair, said('other.ts', 3))],
])('a diagnostic %s is a separate finding', (_, finding) => {
  const joined = joinFindings([found('S02', pair, { file: 'use.ts', line: 3 })], [finding]);
  expect(rulesOf(joined)).toEqual(['S02', 'V01']);
  expect(joined[0]?.assembled.finding.confidence).toBe('likely');
});

test('two checkers at one place are one finding', () => {
  const second = byChecker(pair, said('use.py', 3, 'mypy:misc'));
  expect(rulesOf(joinFindings([], [byChecker(pair, said('use.py', 3)), second]))).toEqual(['V01']);
});

test('two spellings of one path are one finding, wherever the checker reports them', () => {
  const message =
    "File name 'src/panel.ts' differs from already included file name 'src/Panel.ts' only in casing.";
  const collision = found('T07', pair, { file: 'src/panel.ts', line: 1 });
  const reported = (text: string) => byChecker(pair, said('tsconfig.json', 1, 'TS1149', text));
  expect(rulesOf(joinFindings([collision], [reported(message)]))).toEqual(['T07']);
  expect(rulesOf(joinFindings([collision], [reported(message.replaceAll('anel', 'age'))]))).toEqual([
    'T07',
    'V01',
  ]);
});
