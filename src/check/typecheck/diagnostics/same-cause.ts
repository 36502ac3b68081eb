import type { FoundIn } from '#check/context.ts';
import { ruleOf } from '#check/rules/registry.ts';
import { type CheckerFinding, quotedNames } from './blame.ts';
import { compilerOf, type PlacedDiagnostic } from './diagnostic-keys.ts';

/**
 * Joins findings of rules and of checkers. Where both have one cause, the rule's finding stays, because it knows which branch did what, and
 * the checker's diagnostic proves it. Of two checkers at one place the first one's finding stays.
 */
export function joinFindings(found: readonly FoundIn[], checked: readonly CheckerFinding[]): FoundIn[] {
  const joined = [...found];
  for (const finding of checked) {
    const left = finding.diagnostics.filter((diagnostic) => {
      const at = indexOfCause(joined, finding, diagnostic);
      const known = joined[at];
      if (known) joined[at] = provenBy(known, diagnostic);
      return known === undefined;
    });
    if (left.length > 0) {
      const { diagnostics: _, ...rest } = finding;
      joined.push(rest);
    }
  }
  return joined;
}

function indexOfCause(
  found: readonly FoundIn[],
  { assembled: { finding }, unionTree }: CheckerFinding,
  diagnostic: PlacedDiagnostic,
): number {
  const candidates = [...found.entries()].filter(
    ([, { assembled }]) => String(assembled.finding.branches) === String(finding.branches),
  );
  const atPlace = candidates.find(
    ([, other]) =>
      other.unionTree === unionTree &&
      other.assembled.places.some(
        ({ site, inUnion }) =>
          inUnion &&
          site.role === 'consumer' &&
          site.file === diagnostic.file &&
          site.line <= diagnostic.line &&
          diagnostic.line <= Math.max(site.line, site.endLine),
      ),
  );
  const inFile = candidates.find(
    ([, { assembled }]) =>
      explains(assembled.finding.rule, diagnostic) &&
      assembled.places.some(({ site, inUnion }) => inUnion && site.file === diagnostic.file),
  );
  const names = quotedNames(diagnostic.message);
  const byName = candidates.find(
    ([, { assembled }]) =>
      !isChecker(assembled.finding.rule) &&
      assembled.places.some(({ site }) => site.role === 'provider' && names.has(lastName(site.symbol))),
  );
  // TypeScript reports two spellings of one path at the config file.
  const byPath = casing.test(diagnostic.code)
    ? candidates.find(
        ([, { assembled }]) =>
          ruleOf(assembled.finding.rule)?.entails === 'path-spelling' &&
          assembled.places.some(({ site }) => diagnostic.message.includes(site.file)),
      )
    : undefined;
  return (atPlace ?? byName ?? inFile ?? byPath)?.[0] ?? -1;
}

/** File name differs from another only in casing. */
const casing = /^TS(1149|1261)$/;

/** Implicitly any, of type unknown. */
const typeless = /^TS(7005|7006|7031|7034|7053|18046|2571)$/;

/** Any diagnostic in a file that does not parse; in a file with a lost import, those about a missing type. */
function explains(rule: string, { code, message }: PlacedDiagnostic): boolean {
  const entails = ruleOf(rule)?.entails;
  if (entails === 'all-errors') return true;
  return entails === 'missing-types' && (typeless.test(code) || /'(unknown|any)'/.test(message));
}

/** Findings of two checkers are matched by place only: their messages may share names without sharing a cause. */
function isChecker(rule: string): boolean {
  return ruleOf(rule)?.detect.checker !== undefined;
}

function lastName(symbol: string): string {
  return (
    symbol
      .slice(symbol.indexOf('#') + 1)
      .split('.')
      .at(-1) ?? ''
  );
}

function provenBy(found: FoundIn, { file, line, column, code, message }: PlacedDiagnostic): FoundIn {
  const { finding } = found.assembled;
  const said = `${file}:${line}:${column}: ${code}: ${message.split('\n')[0]}`;
  const lines = finding.witness.output.split('\n');
  return {
    ...found,
    assembled: {
      ...found.assembled,
      finding: {
        ...finding,
        confidence: 'proven',
        judge: compilerOf(code),
        // The union does not compile, so it blocks whatever the rule's own severity.
        severity: 'blocking',
        tier: 'R3',
        witness: {
          ...finding.witness,
          output: lines.includes(said) ? finding.witness.output : [...lines, said].join('\n'),
        },
      },
    },
  };
}
