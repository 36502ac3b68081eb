import type { TestDamage } from '#grounding/integrity/test-integrity.ts';
import type { IntegrityReport } from '#schema/proof.ts';

export type Trailer = IntegrityReport['trailers'][number];

const line = /^Test-Change:[ \t]*(?<id>\S.*?)(?<![ \t])[ \t]+-[ \t]+(?<reason>\S.*)$/gm;

/** `Test-Change: <id> - <reason>` in the commit messages of a branch. Ignored without a reason. */
export function readTrailers(
  messages: readonly { readonly commit: string; readonly body: string }[],
): Trailer[] {
  return messages.flatMap(({ commit, body }) =>
    [...body.replaceAll('\r', '').matchAll(line)].map(({ groups = {} }) => ({
      id: (groups.id ?? '').trim(),
      reason: (groups.reason ?? '').trim(),
      commit,
      isUsed: false,
    })),
  );
}

/** The trailer that names a changed test: by its file, its name, or both as `<file>#<test>`. */
function trailerFor(damage: TestDamage, trailers: readonly Trailer[]): Trailer | undefined {
  const test = damage.key.includes(' ') ? damage.key.slice(damage.key.indexOf(' ') + 1) : '';
  const names = new Set([damage.file, ...(test === '' ? [] : [test, `${damage.file}#${test}`])]);
  return trailers.find(({ id }) => names.has(id));
}

/** How a weakened test counts if no test run decides: blocking, unless a trailer gives the reason. */
export function judgeDamage(
  damage: readonly TestDamage[],
  trailers: readonly Trailer[],
): Pick<IntegrityReport, 'findings' | 'trailers'> {
  const used = new Set<Trailer>();
  const findings = damage.map((each) => {
    const { file, line: at, key, message, isLesser } = each;
    const trailer = trailerFor(each, trailers);
    if (trailer) used.add(trailer);
    return {
      rule: 'test-integrity',
      severity: isLesser || trailer ? ('important' as const) : ('blocking' as const),
      fingerprint: `test-integrity:${file} ${key}`,
      message,
      hint: `revert it, or say why in the commit message: Test-Change: ${file} - <reason>`,
      file,
      ...(at === null ? {} : { line: at }),
      contested: trailer?.reason ?? null,
    };
  });
  return { findings, trailers: trailers.map((each) => ({ ...each, isUsed: used.has(each) })) };
}
