import { stripVTControlCharacters } from 'node:util';

/** A log as a person sees it: no colours, no cursor movements; a carriage return starts a new line. */
export function plainLines(log: string): string[] {
  return stripVTControlCharacters(log)
    .split(/\r\n|\n|\r/)
    .map((line) => line.replace(/[\p{Cc}--\t]/gv, ''));
}

/** Prefix that tools running several commands at once put before each line. */
const prefix =
  /^(\[[^\]\s]{1,60}\] |@?[\w./-]{1,80}:[\w:-]{1,40}: |[\w@./-]{1,80} (?:test|lint|build|typecheck|check): |[\w.-]{1,40}\s*\| )/;
const fewest = 3;

/** Lines of parallel commands, separated by that prefix. */
export function separateStreams(lines: readonly string[]): string[][] {
  const byPrefix = new Map<string, string[]>();
  const rest: string[] = [];
  const counts = new Map<string, number>();
  for (const line of lines) {
    const found = prefix.exec(line)?.[1];
    if (found) counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  for (const line of lines) {
    const found = prefix.exec(line)?.[1];
    if (found === undefined || (counts.get(found) ?? 0) < fewest) {
      rest.push(line);
      continue;
    }
    const stream = byPrefix.get(found) ?? [];
    stream.push(line.slice(found.length));
    byPrefix.set(found, stream);
  }
  return [...byPrefix.values(), rest];
}
