/** A diagnostic of a type checker, with paths of the tree. */
export interface RawDiagnostic {
  /** Path in the tree; the project's config file when the diagnostic has no location. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly code: number;
  readonly message: string;
  /** Its source line, trimmed: identifies the same problem under another wording. */
  readonly text: string;
}

export interface CheckRequest {
  /** Config file, as a path in the tree. */
  readonly project: string;
  /** Only these files are diagnosed; null: all. */
  readonly focus: readonly string[] | null;
  /** Changed paths; a project that contains none of them is not checked. null: always checked. */
  readonly changed: readonly string[] | null;
}

export interface Checked {
  /** False when the project contains none of the changed files. */
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

/** A loaded compiler. It gets a new tree as the changes from the last one. */
export interface TypeChecker {
  readonly version: string;
  moveTo(changes: FileChanges): void;
  check(request: CheckRequest): Checked;
}

/** Options that a newer compiler has dropped: 5101 and 5107 are deprecations that are errors there. */
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
