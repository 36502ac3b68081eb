import type { Ref } from '#schema/handoff.ts';

/** Something an attempt may cite: immutable, known by the hash of its bytes, divided into sections. */
export interface CitedArtifact {
  readonly sha256: string;
  readonly sections: readonly string[];
  /** The task that made it; null when it comes from the plan or from us. */
  readonly madeBy: string | null;
}

/** Everything an attempt may cite, as it was when the attempt began. */
export interface Library {
  readonly artifacts: ReadonlyMap<string, CitedArtifact>;
  /** Files of the worktree are asked for one by one. */
  readonly fileExists: (path: string) => boolean;
  /** The task whose accepted work changed a file; null when none did. */
  readonly changedBy: (path: string) => string | null;
}

/** `handoff/model#decisions`, as it is written. */
export function refText({ artifact, section, lines }: Ref): string {
  const place = lines ? `:${lines[0]}-${lines[1]}` : '';
  return section === undefined ? `${artifact}${place}` : `${artifact}#${section}${place}`;
}

/** What is wrong with a reference; null when it leads somewhere. */
export function refProblem({ artifacts, fileExists }: Library, ref: Ref): string | null {
  const known = artifacts.get(ref.artifact);
  if (!known && !fileExists(ref.artifact))
    return `there is no artifact or file ${JSON.stringify(ref.artifact)}`;
  if (known && ref.section !== undefined && !known.sections.includes(ref.section))
    return `${ref.artifact} has no section ${JSON.stringify(ref.section)}`;
  return null;
}

/** Everything that may be cited besides files, one line each. */
export function citable({ artifacts }: Pick<Library, 'artifacts'>): string[] {
  return [...artifacts].flatMap(([artifact, { sections }]) => [
    artifact,
    ...sections.map((section) => `${artifact}#${section}`),
  ]);
}
