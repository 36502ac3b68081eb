/** Who reads which files with types, by the names that reports use. */
const checkedEndings = [
  { names: ['typescript'], endings: /\.[cm]?[jt]sx?$/ },
  { names: ['mypy', 'pyright'], endings: /\.pyi?$/ },
  { names: ['go vet'], endings: /\.go$/ },
  { names: ['javac'], endings: /\.java$/ },
  { names: ['mcs'], endings: /\.cs$/ },
  { names: [], endings: /\.rs$/ },
] as const;

/** Whether one of these compilers and type checkers read a file with types; null: none of the known ones is for such files. */
export function readWithTypes(path: string, readers: ReadonlySet<string>): boolean | null {
  const row = checkedEndings.find(({ endings }) => endings.test(path));
  return row === undefined ? null : row.names.some((name) => readers.has(name));
}
