import type { Config } from '#config/settings.ts';
import { compileGlobs } from '#lib/glob.ts';
import type { CheckReport, Finding, FindingBeforePolicy } from '#schema/check-report.ts';
import { rootCauseId } from '#schema/identity.ts';
import { rules } from '#schema/rules.ts';
import { type Acceptance, effectOf } from '#schema/verdict.ts';

export type Policy = Pick<Config, 'rules' | 'ignore' | 'block'> & {
  /** What a person accepts for this check alone. */
  readonly accept?: readonly Acceptance[];
};

export const noPolicy: Policy = { rules: {}, ignore: [], block: 'likely' };

/** The findings after the project's policy was applied. */
interface Decided<T> {
  readonly kept: (Omit<T, 'finding'> & { readonly finding: Finding })[];
  readonly ignored: NonNullable<CheckReport['ignored']>;
  /** Ignore entries without effect. */
  readonly notes: CheckReport['degraded'];
}

/** Applies the project's policy: severities, rules that are off, what is accepted; and what each finding does then. */
export function applyPolicy<T extends { readonly finding: FindingBeforePolicy }>(
  entries: readonly T[],
  policy: Policy,
  today: string,
): Decided<T> {
  const active = policy.ignore.filter(({ expires }) => expires === undefined || expires >= today);
  const used = new Set<Ignore>();
  const kept: (Omit<T, 'finding'> & { readonly finding: Finding })[] = [];
  const accepting = new Set(policy.accept ?? []);
  const ignored: NonNullable<CheckReport['ignored']> = [];
  for (const entry of entries) {
    const { finding } = entry;
    const wished = policy.rules[finding.rule];
    const covering = active.filter((ignore) => covers(ignore, finding));
    for (const ignore of covering) used.add(ignore);
    const reason = wished === 'off' ? `${finding.rule} is off` : covering[0]?.reason;
    if (reason !== undefined) ignored.push({ id: finding.id, rule: finding.rule, reason });
    else {
      const acceptance = policy.accept?.find(({ id }) => isIdOf(id, finding) || id === finding.rootCause);
      if (acceptance) accepting.delete(acceptance);
      const judged = {
        ...finding,
        severity: wished === undefined || wished === 'off' ? finding.severity : wished,
        judge: acceptance?.by ?? finding.judge,
      };
      const accepted = acceptance?.reason;
      // A model's finding has no rule.
      const asks = rules.find(({ id }) => id === finding.rule)?.asks ?? true;
      const effect = effectOf({ ...judged, accepted, asks }, policy.block);
      kept.push({
        ...entry,
        finding: { ...judged, effect, ...(accepted === undefined ? {} : { accepted }) },
      });
    }
  }
  const notes = policy.ignore.flatMap((ignore) => {
    if (!active.includes(ignore))
      return [{ check: 'ignore', reason: `expired on ${ignore.expires}: ${describe(ignore)}` }];
    return used.has(ignore)
      ? []
      : [{ check: 'ignore', reason: `matches nothing in this check: ${describe(ignore)}` }];
  });
  for (const { id } of accepting)
    notes.push({ check: 'accept', reason: `no finding of this check has an id that starts with ${id}` });
  return { kept, ignored, notes };
}

type Ignore = Policy['ignore'][number];

/** Reports for people cut ids to this length, or longer if needed to distinguish them. */
const shortestId = 8;

/** Every part that an entry names must match. */
function covers({ id, rule, path, symbol }: Ignore, finding: FindingBeforePolicy): boolean {
  if (id !== undefined && !isIdOf(id, finding)) return false;
  if (rule !== undefined && rule !== finding.rule) return false;
  if (symbol !== undefined && !isAbout(finding, symbol)) return false;
  return path === undefined || finding.sites.some((site) => compileGlobs([path])(site.file));
}

function isIdOf(id: string, finding: Pick<Finding, 'id'>): boolean {
  return id.length < shortestId ? finding.id === id : finding.id.startsWith(id);
}

/** The symbol is at one of the sites, or is the cause: after a rename no site has the old name. */
function isAbout({ rule, rootCause, sites }: FindingBeforePolicy, symbol: string): boolean {
  return sites.some((site) => site.symbol === symbol) || rootCauseId(rule, symbol) === rootCause;
}

function describe({ id, rule, path, symbol, reason }: Ignore): string {
  return `${[id, rule, path, symbol].filter((part) => part !== undefined).join(' ')} (${reason})`;
}
