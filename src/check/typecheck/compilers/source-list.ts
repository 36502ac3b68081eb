/** Paths for a compiler's argument file. With `./` in front no path can be read as an option. */
export function sourceList(name: string, paths: readonly string[]): { name: string; text: string } {
  return { name, text: paths.map((path) => `"./${path}"\n`).join('') };
}
