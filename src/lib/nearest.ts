/** The candidate a person most likely meant, or null when none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  // At least one character stays: a person who types "a" does not mean "f".
  let bestDistance = Math.min(word.length, Math.max(2, Math.floor(word.length / 3)) + 1);
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours, each costing one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j] ?? 0, (beforeLast[j - 2] ?? 0) + 1);
      }
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
