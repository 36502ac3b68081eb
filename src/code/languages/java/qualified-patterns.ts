/**
 * The grammar does not know record patterns with a qualified name, `x instanceof Cache.Some(int n)`. Writes one name in their place, so that
 * all other code keeps its position: `Cache_Some(int n)`.
 */
export function withoutQualifiedPatterns(text: string): string {
  return text.replace(
    /\b(instanceof|case) ([\w.]{1,200})\(/g,
    (_, word: string, name: string) => `${word} ${name.replaceAll('.', '_')}(`,
  );
}
