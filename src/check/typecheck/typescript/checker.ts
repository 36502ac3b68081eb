/** What a type checker says about one place, in the terms of the tree. */
export interface RawDiagnostic {
  /** Path in the tree; the project's own config file when the diagnostic has no place. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly code: number;
  readonly message: string;
  /** The line it stands on, trimmed: tells the same problem under another wording. */
  readonly text: string;
}

export interface CheckRequest {
  /** Config file, as a path in the tree. */
  readonly project: string;
  /** Only these files are diagnosed; null: all. */
  readonly focus: readonly string[] | null;
  /** Paths that somebody changed; a project that holds none of them is not diagnosed. null: always diagnosed. */
  readonly changed: readonly string[] | null;
}

export interface Checked {
  /** False when the project holds none of the changed files. */
  readonly relevant: boolean;
  readonly diagnostics: readonly RawDiagnostic[];
  /** Why this checker does not accept the project's settings; null when it does. */
  readonly rejected: string | null;
}

export interface FileChanges {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

/** A loaded compiler. It is told of a new tree by the changes that lead to it. */
export interface TypeChecker {
  readonly version: string;
  moveTo(changes: FileChanges): void;
  check(request: CheckRequest): Checked;
}

/** Options that a newer compiler has given up: 5101 and 5107 are deprecations that count as errors there. */
const givenUp = new Set([5101, 5102, 5107, 5108]);

export function rejection(
  diagnostics: readonly { readonly code: number; readonly message: string }[],
): string | null {
  const found = diagnostics.find(({ code }) => givenUp.has(code));
  return found ? `TS${found.code}: ${found.message.split('\n')[0]}` : null;
}

/** The stages of a compiler can report one problem twice. */
export function uniqueDiagnostics(diagnostics: readonly RawDiagnostic[]): RawDiagnostic[] {
  return [...new Map(diagnostics.map((entry) => [JSON.stringify(entry), entry])).values()];
}
