import { parseSpec, plainTitle } from '#planning/spec/parse-spec.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import type { Plan } from '#schema/plan.ts';

/** Sections about the background, not about the work to do. */
const background =
  /^(background|context|motivation|overview|summary|introduction|problem|goals?|non goals|out of scope|alternatives|references|glossary|open questions|risks?|dependencies|files changed|history|appendix)\b/;

/** Sections of the spec with text that no task refers to; empty when no task refers to any section. */
export function uncoveredSections({ tasks }: Plan, spec: SpecBundle): string[] {
  const referred = tasks.flatMap(({ specRefs = [] }) =>
    specRefs.flatMap(({ section }) => (section === undefined ? [] : [plainTitle(section)])),
  );
  if (referred.length === 0) return [];
  const { sections } = parseSpec(spec.text);
  const covered = new Set(referred);
  // A reference to a section includes its subsections.
  let from: number | null = null;
  return sections.flatMap(({ level, title, body }) => {
    if (from !== null && level <= from) from = null;
    const isCovered = from !== null || covered.has(plainTitle(title));
    if (isCovered && from === null) from = level;
    return isCovered || body.length === 0 || background.test(plainTitle(title)) ? [] : [title];
  });
}
