import type { Change } from '#git/trees/tree.ts';
import { changedLines } from '#lib/changed-lines.ts';
import type { Loss } from '#schema/integration.ts';
import { dataLosses } from './data-losses.ts';
import type { Entities, Entity } from './entities.ts';

/** One file in the merge base, in the branch and in the result; null where it does not exist. */
export interface Versions {
  readonly base: string | null;
  readonly branch: string | null;
  readonly result: string | null;
  readonly entities: { readonly base: Entities; readonly branch: Entities; readonly result: Entities };
}

/** Changes of a file that are missing in the result. Files that git tracks through a rename are not compared here. */
export function lossesInFile(
  branch: string,
  { path, status, before, after }: Change,
  versions: Versions | undefined,
): Loss[] {
  const loss = (
    what: Loss['what'],
    detail: string,
    entity: string | null = null,
    line: number | null = null,
  ) => ({
    branch,
    path,
    entity,
    what,
    line,
    detail,
  });
  // Links, submodules, binary and large files have no lines here: git has already found that they differ.
  if (!versions) return [loss('file', `${branch} changed ${path}, and the result has another version`)];
  if (status === 'deleted' || after === null)
    return versions.result !== null
      ? [
          loss(
            'removed',
            versions.result === versions.base
              ? `${branch} deleted ${path}, and the result still has it`
              : `${branch} deleted ${path}, and the result has another version of it`,
          ),
        ]
      : [];
  if (versions.branch === null) return [];
  if (versions.result === null)
    return [loss('file', `${branch} ${status} ${path}, and the result does not have it`)];
  const { base, branch: own, result } = versions;
  if (before?.id === after.id)
    return [
      loss('file', `${branch} changed the mode of ${path} to ${after.mode}, and the result has another`),
    ];
  const entries = dataLosses(path, { base, own, result });
  const entities = entries === null ? entityLosses({ base, own, result }, versions.entities) : null;
  const lines = lineLosses({ base: base ?? '', own, result }, entities).filter(
    // Entries of a data file were compared by path; comments have no path.
    ({ text }) => entries === null || /^\s*(#|\/\/|\/\*)/.test(text),
  );
  return [
    ...(entries ?? entities?.losses ?? []).map(({ what, name, line, detail }) =>
      loss(what, detail, name, line),
    ),
    ...lines.map(({ what, line, text }) => loss(what, describeLine(what, text), null, line)),
  ];
}

interface EntityLoss {
  readonly what: 'added' | 'changed' | 'removed';
  readonly name: string;
  readonly line: number | null;
  readonly detail: string;
}

interface Texts {
  readonly base: string | null;
  readonly own: string;
  readonly result: string;
}

interface EntityLosses {
  readonly losses: readonly EntityLoss[];
  /** Whether a line is part of a definition, which was compared as a whole. */
  readonly isCovered: { inBranch(line: number): boolean; inBase(line: number): boolean };
}

/** null when one of the texts has no entities to compare. */
function entityLosses({ base, own, result }: Texts, entities: Versions['entities']): EntityLosses | null {
  const before = base === null ? new Map<string, Entity>() : entities.base;
  const { branch: mine, result: now } = entities;
  if (!before || !mine || !now) return null;
  const losses: EntityLoss[] = [];
  for (const [name, entity] of mine) {
    const old = before.get(name);
    if (old?.hash === entity.hash) continue;
    const found = now.get(name);
    const { line } = entity;
    if (!found) {
      const what = old ? 'changed' : 'added';
      losses.push({ what, name, line, detail: `${name} is not in the result` });
    } else if (found.hash === entity.hash) continue;
    else if (found.hash === old?.hash)
      losses.push({
        what: 'changed',
        name,
        line,
        detail: `${name} is as it was before the branch changed it`,
      });
    else {
      const detail = differenceIn(name, entity, found, old, { base, own, result });
      if (detail !== null) losses.push({ what: 'changed', name, line, detail });
    }
  }
  for (const [name, old] of before) {
    if (!mine.has(name) && now.get(name)?.hash === old.hash)
      losses.push({ what: 'removed', name, line: null, detail: `${name} is still there` });
  }
  const names = new Set(losses.map(({ name }) => name));
  const covering = (entities: ReadonlyMap<string, Entity>) => {
    const spans = [...entities.values()];
    return (line: number) => spans.some((span) => span.line <= line && line <= span.endLine);
  };
  return {
    losses: losses.filter(({ name }) => !isToldAlready(name, names)),
    isCovered: { inBranch: covering(mine), inBase: covering(before) },
  };
}

/** A class whose member is lost, or the export of a lost name, is not reported again. */
function isToldAlready(name: string, names: ReadonlySet<string>): boolean {
  if (name.startsWith('export ')) return names.has(name.slice('export '.length));
  return [...names].some((other) => other.startsWith(`${name}.`));
}

/** Two branches changed it: the result must contain the lines that this branch added, and none that it removed. */
function differenceIn(
  name: string,
  own: Entity,
  now: Entity,
  old: Entity | undefined,
  texts: Texts,
): string | null {
  const before = old && texts.base !== null ? slice(texts.base, old) : '';
  const lines = lineLosses(
    { base: before, own: slice(texts.own, own), result: slice(texts.result, now) },
    null,
  );
  if (lines.some(({ what }) => what === 'added')) return `${name} lacks lines that the branch wrote`;
  return lines.length > 0 ? `${name} still has lines that the branch removed` : null;
}

function slice(text: string, { line, endLine }: Entity): string {
  return text
    .split(/\r?\n/)
    .slice(line - 1, endLine)
    .join('\n');
}

interface LineLoss {
  readonly what: 'added' | 'removed';
  readonly line: number | null;
  readonly text: string;
}

function lineLosses(
  { base, own, result }: { base: string; own: string; result: string },
  entities: EntityLosses | null,
): LineLoss[] {
  const { added, removed } = changedLines(base, own);
  const [before, mine, there] = [counted(base), counted(own), counted(result)];
  const times = (counts: ReadonlyMap<string, number>, text: string) => counts.get(normal(text)) ?? 0;
  // A line that occurs several times is lost when it occurs no more often than before.
  const isLost = (text: string) =>
    times(there, text) === 0 ||
    (times(mine, text) > times(before, text) && times(there, text) <= times(before, text));
  const lostAdditions = added.filter(
    ({ line, text }) => isTelling(text) && !entities?.isCovered.inBranch(line) && isLost(text),
  );
  const lostRemovals = removed.filter(
    ({ line, text }) =>
      isTelling(text) &&
      !entities?.isCovered.inBase(line) &&
      times(mine, text) < times(before, text) &&
      times(there, text) >= times(before, text),
  );
  return [
    ...lostAdditions.map(({ line, text }) => ({ what: 'added' as const, line, text })),
    // A replaced line is reported by its replacement.
    ...(lostAdditions.length > 0
      ? []
      : lostRemovals.map(({ text }) => ({ what: 'removed' as const, line: null, text }))),
  ];
}

function counted(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split(/\r?\n/)) counts.set(normal(line), (counts.get(normal(line)) ?? 0) + 1);
  return counts;
}

/** Ignores indentation, and the comma that an entry gets when another one is added after it. */
function normal(line: string): string {
  return line.trim().replace(/,$/, '').replace(/\s+/g, ' ');
}

/** A closing bracket alone carries no information. */
function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

function describeLine(what: 'added' | 'removed', text: string): string {
  const shown = text.trim().slice(0, 120);
  return what === 'added' ? `the result lacks the line: ${shown}` : `the result still has the line: ${shown}`;
}
