import { parseSpec, plainTitle } from '#planning/spec/parse-spec.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import type { Plan } from '#schema/plan.ts';

/** Sections that talk about the work and not about what is to be done. */
const background =
  /^(background|context|motivation|overview|summary|introduction|problem|goals?|non goals|out of scope|alternatives|references|glossary|open questions|risks?|dependencies|files changed|history|appendix)\b/;

/** Sections of the spec with text of their own that no task refers to; empty when tasks refer to none at all. */
export function uncoveredSections({ tasks }: Plan, spec: SpecBundle): string[] {
  const referred = tasks.flatMap(({ specRefs = [] }) =>
    specRefs.flatMap(({ section }) => (section === undefined ? [] : [plainTitle(section)])),
  );
  if (referred.length === 0) return [];
  const { sections } = parseSpec(spec.text);
  const covered = new Set(referred);
  // A task that refers to a section refers to those below it as well.
  let from: number | null = null;
  return sections.flatMap(({ level, title, body }) => {
    if (from !== null && level <= from) from = null;
    const isCovered = from !== null || covered.has(plainTitle(title));
    if (isCovered && from === null) from = level;
    return isCovered || body.length === 0 || background.test(plainTitle(title)) ? [] : [title];
  });
}
