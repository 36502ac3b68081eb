import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkBranches } from '#check/check.ts';
import { openRepository } from '#git/repository.ts';
import { CheckReport, type Finding } from '#schema/check-report.ts';
import { rules } from '#schema/rules.ts';
import { type ExpectedFinding, readScenarios } from './scenario.ts';
import { buildRepository } from './scenario-repository.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-fixtures-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

const scenarios = readScenarios().map((scenario, index) => ({ ...scenario, index }));
await buildRepository(scenarios, join(root, 'repository'));
const repository = await openRepository(join(root, 'repository'));

/** What a scenario says about a finding, as the report has it: keys it does not speak of are left out. */
function asExpected(finding: Finding, expected: ExpectedFinding | undefined): ExpectedFinding {
  const { rule, severity, confidence } = finding;
  const providers = finding.sites.filter(({ role }) => role === 'provider');
  const consumers = finding.sites.filter(({ role }) => role === 'consumer');
  const named = (providers.length > 0 ? providers : consumers).map(({ symbol }) => symbol);
  const files = consumers.map(({ file }) => file);
  return {
    rule,
    severity,
    confidence,
    branches: finding.branches.map(plainRef),
    ...(expected?.owner === undefined ? {} : { owner: plainRef(finding.owner ?? '') }),
    ...(expected?.provider === undefined ? {} : { provider: pick(named, expected.provider) }),
    ...(expected?.consumerFile === undefined ? {} : { consumerFile: pick(files, expected.consumerFile) }),
  };
}

/** `7/a` is the branch `a` of the scenario at index 7. */
function plainRef(ref: string): string {
  return ref.slice(ref.indexOf('/') + 1);
}

function pick(found: readonly string[], wanted: string): string {
  return found.includes(wanted) ? wanted : found.join(' ');
}

/** Reports sort worst first; scenarios list findings in any order. */
function matchUp(findings: readonly Finding[], expected: readonly ExpectedFinding[]): ExpectedFinding[] {
  const rest = [...findings];
  const matched = expected.flatMap((wanted) => {
    const at = rest.findIndex(
      (finding) => JSON.stringify(asExpected(finding, wanted)) === JSON.stringify(wanted),
    );
    const [found] = at < 0 ? [] : rest.splice(at, 1);
    return found ? [asExpected(found, wanted)] : [];
  });
  const unmatched = expected.slice(matched.length);
  return [
    ...matched,
    ...rest.map((finding, index) => asExpected(finding, unmatched[index] ?? expected.at(-1))),
  ];
}

describe('joinery check', () => {
  it.concurrent.each(scenarios)('$name', async ({ index, branches, expected }) => {
    const { report } = await checkBranches({
      repository,
      base: `${index}/main`,
      branches: branches.map(({ name }) => `${index}/${name}`),
      cacheDir: join(root, 'cache'),
      today: '2026-01-01',
    });
    // As it is printed: nothing the schema does not know, keys in its order.
    expect(JSON.stringify(report)).toBe(JSON.stringify(CheckReport.strict().parse(report)));
    expect(report.inconclusive).toEqual([]);
    expect(matchUp(report.findings, expected.findings)).toEqual(expected.findings);
    expect(report.status).toBe(expected.status);
    if (expected.landable) expect(report.landable.map(plainRef)).toEqual(expected.landable);
  });

  // Diagnostics of outside checkers (V…) are tested where those are run.
  it.each(rules.filter(({ id }) => !id.startsWith('V')))(
    'has a conflict and a benign twin of $id in every language',
    ({ id }) => {
      const names = scenarios.map(({ name }) => name.slice(name.indexOf('/') + 1));
      for (const language of languagesOf(id)) {
        const own = names.filter((name) => name.startsWith(`${id.toLowerCase()}-${language}`));
        const twins = own.filter((name) => name.endsWith('-benign'));
        expect(twins, `twins of ${id} ${language}`).not.toEqual([]);
        expect(own.length, `conflicts of ${id} ${language}`).toBeGreaterThan(twins.length);
      }
    },
  );
});

function languagesOf(rule: string): readonly string[] {
  if (rule === 'T06') return ['json', 'yaml', 'toml', 'dotenv'];
  if (rule === 'S16') return ['ts'];
  return rule === 'T01' || rule === 'T02' || rule === 'T07' ? [''] : ['ts', 'py'];
}
