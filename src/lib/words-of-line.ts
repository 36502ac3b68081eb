/** `bwrap --setenv A 'b c'` → four words: quotes group words; no shell is involved. */
export function wordsOfLine(line: string): string[] {
  return [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_all, single?: string, double?: string) => single ?? double ?? ''),
  );
}
