/** Files that tools run once, in an order; others say how things are. */
export function isMigrationPath(path: string): boolean {
  return (
    /(?:^|\/)(?:migrations?|migrate|versions|drizzle|supabase\/migrations)\//.test(path) ||
    /(?:^|\/)V\d(?=[^/]*__)[^/]*\.sql$/.test(path)
  );
}
