import type { Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeClaim } from '#schema/audit.ts';
import type { AuditedAgent } from './agents.ts';
import type { ReadBeside } from './check-records.ts';
import { hasWord, isRange, lineCount } from './citable.ts';

/** Changed lines of a pipeline or a run, by file; `all` for a new file. */
export type ChangedRanges = ReadonlyMap<string, 'all' | readonly (readonly [number, number])[]>;

export interface CodeAround {
  readonly read: ReadBeside;
  /** Null: there is no diff. */
  readonly changed: ChangedRanges | null;
  /** The facts of a source file; null if its language is not supported. */
  readonly factsOf: (path: string, text: string) => Promise<Facts | null>;
}

const place = /(?<![\w./-])(?<file>[\w./-]{1,500}\.\w{1,20}):L?(?<first>\d{1,9})(?:-L?(?<last>\d{1,9}))?/g;
/** A name in backticks: `useQuery`, `User.save()`. */
const named = /`(?<name>[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?:\(\))?`/g;

/** `src/List.tsx:45-78` in the text of a record. */
interface NamedPlace {
  readonly file: string;
  readonly lines: readonly [number, number];
}

export function placesIn(text: string): NamedPlace[] {
  return [...text.matchAll(place)].map(({ groups = {} }) => {
    const first = Number(groups.first);
    return { file: groups.file ?? '', lines: [first, Number(groups.last ?? first)] };
  });
}

/** Compares what records say about source files with these files. Whether it fulfils a requirement is left to an agent. */
export async function verifyClaims(agents: readonly AuditedAgent[], code: CodeAround): Promise<CodeClaim[]> {
  const claims: CodeClaim[] = [];
  for (const { id, record } of agents) {
    for (const { ref, usedFor, file, line } of record?.inputs ?? []) {
      const claimed = { agent: id, claimedIn: file, claimedAt: line, from: ref };
      for (const named of placesIn(usedFor))
        claims.push({ ...claimed, ...(await checkPlace(named, usedFor, code)) });
    }
    for (const { ref, file, line, state } of record?.outputs ?? []) {
      const claimed = { agent: id, claimedIn: file, claimedAt: line, from: ref };
      for (const checked of state === 'ok' ? notMade(ref, code.changed) : [])
        claims.push({ ...claimed, ...checked });
    }
  }
  return claims;
}

/** `src/a.ts#L1-L9`: a source file handed on as newly made. Documents are not code. */
const sourceRef =
  /^(?<file>(?=[^#]*\/)[^#]*\.(?!(?:md|mdx|markdown)#)\w+)#(?:L(?<first>\d+)(?:-L?(?<last>\d+))?$)?/i;

/** Handed on as newly made, but not changed. */
function notMade(ref: string, changed: ChangedRanges | null): Checked[] {
  const { file, first, last = first } = sourceRef.exec(ref)?.groups ?? {};
  if (file === undefined || changed === null) return [];
  const lines = first === undefined ? null : ([Number(first), Number(last)] as [number, number]);
  if (lines === null ? changed.has(file) : touches(changed, file, lines)) return [];
  const evidence = `${file}${lines === null ? '' : `:${lines[0]}-${lines[1]}`} is handed on as made here and was not changed`;
  return [
    {
      file,
      lines,
      inDiff: false,
      symbols: { found: [], missing: [] },
      status: 'PARTIAL',
      decidedBy: 'code',
      evidence,
    },
  ];
}

type Checked = Omit<CodeClaim, 'agent' | 'claimedIn' | 'claimedAt' | 'from'>;

async function checkPlace({ file, lines }: NamedPlace, claim: string, code: CodeAround): Promise<Checked> {
  const [first, last] = lines;
  const base = { file, decidedBy: 'code', inDiff: null, symbols: { found: [], missing: [] } } as const;
  const nothing = { ...base, symbols: { found: [], missing: [] }, lines: null };
  const read = isPlainPath(file) ? code.read(file) : 'outside';
  if (typeof read === 'string')
    return { ...nothing, status: 'MISSING_FILE', evidence: `${file} does not exist` };
  if (!isRange(first, last, read.text)) {
    const evidence = `${file} has ${lineCount(read.text)} lines, not ${first}-${last}`;
    return { ...nothing, status: 'PARTIAL', evidence };
  }
  const symbols = await symbolsOf(claim, file, read.text, lines, code);
  const inDiff = code.changed === null ? null : touches(code.changed, file, lines);
  const doubts = [
    ...(inDiff === false ? [`${file}:${first}-${last} was not changed`] : []),
    ...symbols.doubts,
  ];
  return {
    ...base,
    lines: [first, last],
    inDiff,
    symbols: { found: symbols.found, missing: symbols.missing },
    status: doubts.length === 0 ? 'UNJUDGED' : 'PARTIAL',
    evidence: doubts.length === 0 ? evidenceFor(file, lines, inDiff, symbols.found) : doubts.join('; '),
  };
}

function isPlainPath(file: string): boolean {
  return !file.startsWith('/') && !file.split('/').includes('..');
}

function touches(changed: ChangedRanges, file: string, [first, last]: readonly [number, number]): boolean {
  const ranges = changed.get(file);
  if (ranges === undefined) return false;
  return ranges === 'all' || ranges.some(([from, to]) => from <= last && first <= to);
}

async function symbolsOf(
  claim: string,
  file: string,
  text: string,
  [first, last]: readonly [number, number],
  code: CodeAround,
) {
  const names = [...new Set([...claim.matchAll(named)].map(({ groups }) => groups?.name ?? ''))];
  const cited = text
    .split('\n')
    .slice(first - 1, last)
    .join('\n');
  const found = names.filter((name) => hasWord(cited, name.slice(name.lastIndexOf('.') + 1)));
  const missing = names.filter((name) => !found.includes(name));
  const facts = missing.length === 0 ? null : await code.factsOf(file, text);
  return { found, missing, doubts: missing.map((name) => whereInstead(name, file, text, facts)) };
}

/** Where a name is that is missing from the cited lines. */
function whereInstead(name: string, file: string, text: string, facts: Facts | null): string {
  const defined = facts?.definitions.find(
    (definition) => symbolPath(definition) === name || definition.name === name,
  );
  if (defined) return `${name} is defined at ${file}:${defined.line}, not in the lines cited`;
  return hasWord(text, name) ? `${name} is not in the lines cited` : `${name} does not occur in ${file}`;
}

function evidenceFor(
  file: string,
  [first, last]: readonly [number, number],
  inDiff: boolean | null,
  found: readonly string[],
): string {
  return [
    `${file}:${first}-${last} exists`,
    ...(inDiff === true ? ['was changed'] : []),
    ...(found.length > 0 ? [`contains ${found.join(', ')}`] : []),
  ].join(', ');
}
