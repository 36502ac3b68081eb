/** The parents that a migration declares. */
export interface Lineage {
  /** Its own id, if the text contains one: Alembic's `revision`. */
  readonly own: string | null;
  readonly parents: readonly string[];
}

/** `revision = "ae10"`, `down_revision: Union[str, None] = "1975"`; null when it cannot be read. */
export function alembicLineage(text: string): Lineage | null {
  const own = /^revision\b[^=\n]*=\s*["']([^"']+)["']/m.exec(text)?.[1];
  const down = /^down_revision\b[^=\n]*=\s*(?<value>None|["'][^"']+["']|\([^()]*\)|\[[^\][]*\])/m.exec(
    text,
  )?.groups;
  if (own === undefined || down === undefined) return null;
  return { own, parents: quoted(down.value ?? '') };
}

/** `dependencies = [("shop", "0041_prices")]`; null when it cannot be read. */
export function djangoLineage(text: string): Lineage | null {
  const list = /^[ \t]*dependencies[ \t]*=\s*\[(?<list>[^\][]*)\]/m.exec(text)?.groups?.list;
  if (list === undefined) return null;
  const named = list.matchAll(/\(\s*["'][^"']+["']\s*,\s*["']([^"']+)["']\s*(?:,\s*)?\)/g);
  return { own: null, parents: Array.from(named, ([, name = '']) => name) };
}

function quoted(text: string): string[] {
  return Array.from(text.matchAll(/["']([^"']+)["']/g), ([, name = '']) => name);
}
