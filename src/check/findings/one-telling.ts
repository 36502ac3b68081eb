import type { FoundIn } from '#check/context.ts';
import { compareSites } from './findings.ts';
import { framesPerRole } from './frames.ts';

interface Line {
  readonly file: string;
  readonly line: number;
}

/** A finding with more places of the same loss, as another rule found them. */
export function withPlacesOf(told: FoundIn, other: FoundIn, wanted: readonly Line[]): FoundIn {
  const isNew = (known: readonly Line[]) => (at: Line) =>
    wanted.some(({ file, line }) => file === at.file && line === at.line) &&
    known.every(({ file, line }) => file !== at.file || line !== at.line);
  const { finding, places, problems } = told.assembled;
  const { finding: added, places: addedPlaces } = other.assembled;
  const tags = new Set([...(finding.tags ?? []), added.category].filter((each) => each !== finding.category));
  const sites = [...finding.sites, ...added.sites.filter(isNew(finding.sites))].sort(compareSites);
  const shownSites = [...told.shown.sites, ...other.shown.sites.filter(isNew(told.shown.sites))];
  const frames = [...told.shown.frames, ...other.shown.frames.filter(isNew(told.shown.frames))];
  return {
    ...told,
    assembled: {
      problems,
      finding: { ...finding, sites, ...(tags.size > 0 ? { tags: [...tags] } : {}) },
      places: [...places, ...addedPlaces.filter(({ site }) => isNew(finding.sites)(site))].sort((a, b) =>
        compareSites(a.site, b.site),
      ),
    },
    shown: {
      sites: shownSites.sort(compareSites),
      frames: frames.filter(
        ({ role }, at) => frames.slice(0, at).filter((before) => before.role === role).length < framesPerRole,
      ),
    },
  };
}
