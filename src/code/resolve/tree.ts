/** The paths of one git tree, enough to resolve imports: no checkout, no I/O. */
export interface Tree {
  /** Id of the blob at a path, undefined when the path is absent or not a regular file. */
  blob(path: string): string | undefined;
  isDirectory(path: string): boolean;
  /** Sorted paths of the regular files directly in a folder; the root is `''`. */
  files(directory: string): readonly string[];
}

/** Text of the small documents that control resolution (package.json, tsconfig.json, pyproject.toml), by blob id. */
export interface Documents {
  text(blob: string): string | undefined;
}
