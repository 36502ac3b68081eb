/** `bwrap --setenv A 'b c'` → four words: quotes hold words together, and no shell takes part. */
export function wordsOfLine(line: string): string[] {
  return [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_all, single?: string, double?: string) => single ?? double ?? ''),
  );
}
