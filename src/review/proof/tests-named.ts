import { z } from 'zod';
import { findJson, isObject } from '#agents/stream/find-json.ts';

const Named = z.object({ tests: z.array(z.object({ finding: z.string(), file: z.string() })) });

/** The test file of each finding: as the prover says, or the only file for the only finding. */
export function testsNamed(
  text: string,
  written: readonly string[],
  findings: readonly { readonly id: string }[],
): Map<string, string> {
  const named =
    Named.safeParse(findJson(text, (value) => isObject(value) && 'tests' in value)).data?.tests ?? [];
  const known = new Set(findings.map(({ id }) => id));
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const { finding, file } of named) {
    if (!known.has(finding) || !written.includes(file) || found.has(finding) || taken.has(file)) continue;
    found.set(finding, file);
    taken.add(file);
  }
  const [only] = findings;
  if (found.size === 0 && findings.length === 1 && written.length === 1 && only)
    found.set(only.id, written[0] as string);
  return found;
}
