/** Versions from `from` up to, but not including, `to`. */
interface Interval {
  readonly from: readonly number[];
  readonly to: readonly number[] | null;
}

/** How two ranges relate; null when one of them cannot be read. */
export function rangesRelate(system: 'npm' | 'python', a: string, b: string): 'overlap' | 'apart' | null {
  const [left, right] = [intervalsOf(system, a), intervalsOf(system, b)];
  if (!left || !right) return null;
  return left.some((one) => right.some((other) => meets(one, other))) ? 'overlap' : 'apart';
}

function meets(a: Interval, b: Interval): boolean {
  return (b.to === null || compare(a.from, b.to) < 0) && (a.to === null || compare(b.from, a.to) < 0);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function intervalsOf(system: 'npm' | 'python', range: string): Interval[] | null {
  const parts = range
    .split('||')
    .map((part) => (system === 'npm' ? npmInterval(part.trim()) : pythonInterval(part.trim())));
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}

const everything: Interval = { from: [0], to: null };

function versionOf(text: string): number[] | null {
  return /^v?\d+(\.\d+)*$/.test(text) ? text.replace(/^v/, '').split('.').map(Number) : null;
}

function raised(version: readonly number[], at: number): number[] {
  return [...version.slice(0, at), (version[at] ?? 0) + 1];
}

function npmInterval(text: string): Interval | null {
  if (text === '' || text === '*' || text === 'latest') return everything;
  const wild = /^(\d+(?:\.\d+)?)\.[x*]$/.exec(text)?.[1];
  if (wild) return prefix(versionOf(wild));
  const [, sign = '', digits = ''] =
    /^(\^|~|>=|<=|>|<|=)?\s*v?(\d+(?:\.\d+){0,2})(?:[-+][\w.-]+)?$/.exec(text) ?? [];
  const version = versionOf(digits);
  if (!version) return bothOf(text.split(/\s+/), npmInterval);
  if (sign === '^') {
    const at = version.findIndex((part) => part !== 0);
    return { from: version, to: raised(version, at === -1 ? 0 : at) };
  }
  if (sign === '~') return { from: version, to: raised(version, Math.min(1, version.length - 1)) };
  return sign === '' || sign === '='
    ? version.length < 3
      ? prefix(version)
      : exactly(version)
    : bounded(sign, version);
}

function pythonInterval(text: string): Interval | null {
  if (text === '' || text === '*') return everything;
  const clauses = text.split(',');
  if (clauses.length > 1) return bothOf(clauses, pythonInterval);
  const [, sign = '', digits = '', star] =
    /^(===?|~=|>=|<=|>|<)\s*v?(\d+(?:\.\d+)*)(\.\*)?$/.exec(text) ?? [];
  const version = versionOf(digits);
  // `!=` excludes one version: the rest still overlaps.
  if (!version) return text.startsWith('!=') ? everything : null;
  if (sign === '~=') return { from: version, to: raised(version, Math.max(version.length - 2, 0)) };
  if (sign === '==' || sign === '===') return star ? prefix(version) : exactly(version);
  return bounded(sign, version);
}

function prefix(version: readonly number[] | null): Interval | null {
  return version && { from: version, to: raised(version, version.length - 1) };
}

function exactly(version: readonly number[]): Interval {
  return { from: version, to: [...padded(version), 1] };
}

/** One part more than any version has: the smallest step after a version. */
function padded(version: readonly number[]): number[] {
  return Array.from({ length: 5 }, (_, at) => version[at] ?? 0);
}

function bounded(sign: string, version: readonly number[]): Interval {
  if (sign === '>=') return { from: version, to: null };
  if (sign === '>') return { from: [...padded(version), 1], to: null };
  return { from: [0], to: sign === '<' ? version : [...padded(version), 1] };
}

/** The intersection of several conditions. */
function bothOf(parts: readonly string[], read: (part: string) => Interval | null): Interval | null {
  if (parts.length < 2) return null;
  return parts.map(read).reduce(
    (all, each) => {
      if (!all || !each) return null;
      const from = compare(all.from, each.from) >= 0 ? all.from : each.from;
      const to =
        all.to === null
          ? each.to
          : each.to === null
            ? all.to
            : compare(all.to, each.to) <= 0
              ? all.to
              : each.to;
      return { from, to };
    },
    everything as Interval | null,
  );
}
