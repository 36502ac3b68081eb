/** `SCHEMA_VERSION`, `cacheVersion`: a number for the layout of data. */
export function isVersionName(name: string): boolean {
  return /^(?:(?=(?:[A-Z0-9_]*_)?(?:SCHEMA|CACHE|FORMAT|STORAGE|DB|DATABASE|LAYOUT|SNAPSHOT|INDEX|FILE)_)(?:[A-Z0-9]+_)+VERSION|(?:schema|cache|format|storage|db|database|layout|snapshot)Version)$/.test(
    name,
  );
}
