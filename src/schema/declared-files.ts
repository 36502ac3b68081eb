/** One spelling per path: `./src//a.ts` is `src/a.ts`, `src/` is `src`. */
export function declaredPath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** A declaration names a file, or a folder and everything in it. */
export function covers(declared: string, path: string): boolean {
  const prefix = declaredPath(declared);
  return prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
}

export function isCovered(declared: readonly string[], path: string): boolean {
  return declared.some((each) => covers(each, path));
}
