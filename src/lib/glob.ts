/** More wildcard patterns than this under one folder are not a workspace but an attempt to make matching slow. */
const mostPerFolder = 500;
const mostAlternatives = 64;
const longest = 1000;

/**
 * Matches paths against globs with `*`, `?`, `**` and `{a,b}`; a leading `!` excludes paths again. Patterns are indexed by their literal
 * folders: with ten thousand patterns, a path is compared only with those that could match. Throws for hostile patterns: their document
 * counts as broken.
 */
export function compileGlobs(patterns: readonly string[]): (path: string) => boolean {
  const wanted = fileGlobs(patterns.filter((pattern) => !pattern.startsWith('!')));
  const unwanted = fileGlobs(
    patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)),
  );
  return (path) => wanted(path) && !unwanted(path);
}

function fileGlobs(patterns: readonly string[]): (path: string) => boolean {
  const literal = new Set<string>();
  const names = new Set<string>();
  const wildNames: string[] = [];
  const byFolder = new Map<string, string[][]>();
  for (const pattern of patterns.flatMap(expandBraces)) {
    const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
    const firstWild = segments.findIndex((segment) => /[*?]/.test(segment));
    if (firstWild < 0) {
      literal.add(segments.join('/'));
      continue;
    }
    const [first, name, ...deeper] = segments;
    // `**/name` is the most frequent kind, in lists of hundreds: the last segment decides.
    if (first === '**' && name !== undefined && name !== '**' && deeper.length === 0) {
      if (/[*?]/.test(name)) wildNames.push(name);
      else names.add(name);
      if (wildNames.length > mostPerFolder) throw tooMany();
      continue;
    }
    const folder = segments.slice(0, firstWild).join('/');
    const filed = byFolder.get(folder) ?? [];
    filed.push(segments.slice(firstWild));
    if (filed.length > mostPerFolder) throw tooMany();
    byFolder.set(folder, filed);
  }
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return (
      literal.has(path) ||
      names.has(name) ||
      wildNames.some((pattern) => matchesSegment(pattern, name)) ||
      matchesFiled(byFolder, path)
    );
  };
}

function tooMany(): Error {
  return new Error(`more than ${mostPerFolder} patterns in one folder`);
}

function matchesFiled(byFolder: ReadonlyMap<string, string[][]>, path: string): boolean {
  if (byFolder.size === 0) return false;
  const segments = path === '' ? [] : path.split('/');
  for (let depth = 0, folder = ''; depth <= segments.length; depth += 1) {
    const rest = segments.slice(depth);
    if (byFolder.get(folder)?.some((glob) => matchesSegments(glob, rest))) return true;
    folder = folder === '' ? (segments[depth] ?? '') : `${folder}/${segments[depth]}`;
  }
  return false;
}

/** Row by row over the glob: `reach[i]` says whether the segments before `i` can be consumed so far. */
function matchesSegments(glob: readonly string[], segments: readonly string[]): boolean {
  let reach = segments.map(() => false);
  reach.unshift(true);
  for (const part of glob) {
    const next: boolean[] = [];
    for (let index = 0; index <= segments.length; index += 1) {
      next[index] =
        part === '**'
          ? reach[index] === true || next[index - 1] === true
          : index > 0 && reach[index - 1] === true && matchesSegment(part, segments[index - 1] ?? '');
    }
    if (!next.includes(true)) return false;
    reach = next;
  }
  return reach[segments.length] === true;
}

/** Wildcards inside one segment, going back only to the last `*`: never exponential. */
function matchesSegment(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

function expandBraces(pattern: string): string[] {
  if (pattern.length > longest) throw new Error(`a pattern of ${pattern.length} characters`);
  let expanded = [pattern];
  for (;;) {
    const next = expanded.flatMap((text) => {
      const open = text.lastIndexOf('{');
      const close = text.indexOf('}', open);
      if (open < 0 || close < 0) return [text];
      const [before, after] = [text.slice(0, open), text.slice(close + 1)];
      return text
        .slice(open + 1, close)
        .split(',')
        .map((choice) => before + choice + after);
    });
    if (next.length > mostAlternatives)
      throw new Error(`a pattern with more than ${mostAlternatives} alternatives`);
    if (next.every((text, index) => text === expanded[index])) return next;
    expanded = next;
  }
}
