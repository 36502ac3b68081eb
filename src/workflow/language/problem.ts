import type { Severity } from '#schema/vocabulary.ts';

/** One problem in a workflow file. Only a blocking one prevents it from running. */
export interface Problem {
  /** From the top of the document: `steps[2].loop.maxIterations`; empty for the document itself. */
  readonly path: string;
  /** Stable, for programs: `unknown-field`. */
  readonly rule: string;
  readonly severity: Extract<Severity, 'blocking' | 'important'>;
  readonly message: string;
}

export type Path = readonly PropertyKey[];

export function blocking(path: Path, rule: string, message: string): Problem {
  return { path: showPath(path), rule, severity: 'blocking', message };
}

export function important(path: Path, rule: string, message: string): Problem {
  return { path: showPath(path), rule, severity: 'important', message };
}

function showPath(path: Path): string {
  return path.reduce<string>((shown, part) => {
    if (typeof part === 'number') return `${shown}[${part}]`;
    return shown === '' ? String(part) : `${shown}.${String(part)}`;
  }, '');
}
