/** Files that tools run once, in order; other files describe the current state. */
export function isMigrationPath(path: string): boolean {
  return (
    /(?:^|\/)(?:migrations?|migrate|versions|drizzle|supabase\/migrations)\//.test(path) ||
    /(?:^|\/)V\d(?=[^/]*__)[^/]*\.sql$/.test(path)
  );
}
