import type { Ref } from '#schema/handoff.ts';
import { Citable, isRange, lineCount } from './audit/citable.ts';

/** Something an attempt may cite: immutable, identified by the hash of its bytes, divided into sections. */
export interface CitedArtifact {
  readonly sha256: string;
  readonly sections: readonly string[];
  /** The task that made it; null if it comes from the plan or from Joinery. */
  readonly madeBy: string | null;
}

/** Everything an attempt may cite, as it was when the attempt started. */
export interface Library {
  readonly artifacts: ReadonlyMap<string, CitedArtifact>;
  /** Looks up one file of the worktree; null if it does not exist. The text is null if only the name is known. */
  readonly file: (path: string) => { readonly text: string | null } | null;
  /** The task whose accepted work changed a file; null if none did. */
  readonly changedBy: (path: string) => string | null;
}

/** A reference as text: `handoff/model#decisions`. */
export function refText({ artifact, section, lines }: Ref): string {
  const place = lines ? `:${lines[0]}-${lines[1]}` : '';
  return section === undefined ? `${artifact}${place}` : `${artifact}#${section}${place}`;
}

/** What is wrong with a reference; null if it resolves. */
export function refProblem({ artifacts, file }: Library, ref: Ref): string | null {
  const known = artifacts.get(ref.artifact);
  if (known) {
    return ref.section === undefined || known.sections.includes(ref.section)
      ? null
      : `${ref.artifact} has no section ${JSON.stringify(ref.section)}`;
  }
  const found = file(ref.artifact);
  if (found === null) return `there is no artifact or file ${JSON.stringify(ref.artifact)}`;
  return found.text === null ? null : problemInFile(ref, found.text);
}

/** In source code a section is a range of lines, `L10-L20`, or a name that occurs there. */
function problemInFile({ artifact, section, lines }: Ref, text: string): string | null {
  if (section !== undefined && !new Citable(artifact, text).has(section))
    return `${artifact} has no section ${JSON.stringify(section)}`;
  if (lines !== undefined && !isRange(lines[0], lines[1], text))
    return `${artifact} has ${lineCount(text)} lines, not ${lines[0]}-${lines[1]}`;
  return null;
}

/** Everything that may be cited besides files, one line each. */
export function citable({ artifacts }: Pick<Library, 'artifacts'>): string[] {
  return [...artifacts].flatMap(([artifact, { sections }]) => [
    artifact,
    ...sections.map((section) => `${artifact}#${section}`),
  ]);
}
