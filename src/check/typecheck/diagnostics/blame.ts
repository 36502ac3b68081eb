import type { CheckContext, FoundIn } from '#check/context.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { showFindings } from '#check/findings/frames.ts';
import { listRefs } from '#check/findings/list-refs.ts';
import { describeMember } from '#check/members/describe-member.ts';
import type { Member, ReadMember } from '#check/members/member.ts';
import { diagnoseDiagnostic } from '#check/rules/detect.ts';
import type { DiagnosedProblem, ProviderPlace } from '#check/rules/diagnosis.ts';
import type { Found } from '#check/rules/rule.ts';
import type { Located, SymbolChange } from '#code/delta/symbol-delta.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf, isCode } from '#code/languages/index.ts';
import { diffTrees } from '#git/trees/tree.ts';
import { symbolId } from '#schema/identity.ts';
import { compilerOf, type PlacedDiagnostic } from './diagnostic-keys.ts';
import type { Meeting } from './meeting.ts';
import type { Blamed } from './new-diagnostics.ts';

/** A finding of a checker with its diagnostics: another finding may have the same cause. */
export interface CheckerFinding extends FoundIn {
  readonly diagnostics: readonly PlacedDiagnostic[];
}

/** Findings from diagnostics that only unions have: one for each cause and guilty set. */
export async function checkerFindings(
  context: CheckContext,
  meeting: Meeting,
  checker: 'typescript' | 'python' | 'compilers',
  blamed: readonly Blamed[],
): Promise<CheckerFinding[]> {
  const groups = new Map<string, { sides: ReadMember[]; tree: string; entries: Entry[] }>();
  for (const each of blamed) {
    const sides = await sidesOf(context, meeting, each);
    const key = JSON.stringify([sides.map(({ ref }) => ref), each.tree]);
    const group = groups.get(key) ?? { sides, tree: each.tree, entries: [] };
    group.entries.push({
      diagnostic: each.diagnostic,
      problem: diagnoseDiagnostic(checker, await describe(each.diagnostic, sides, context)),
    });
    groups.set(key, group);
  }
  const found: CheckerFinding[] = [];
  for (const { sides, tree, entries } of groups.values()) {
    const union = await context.trees.get(tree);
    const shown = { tree, base: context.base.ref, radius: context.radius };
    for (const causes of byCause(entries)) {
      const assembled = await assembleFindings(
        causes.map(({ problem }) => problem),
        shown,
        sides,
      );
      const diagnostics = causes.map(({ diagnostic }) => diagnostic);
      const shownFindings = await showFindings(assembled, union.git, context.workspace.objects);
      found.push(...shownFindings.map((entry) => ({ ...entry, diagnostics })));
    }
  }
  return found;
}

interface Entry {
  readonly diagnostic: PlacedDiagnostic;
  readonly problem: DiagnosedProblem;
}

function byCause(entries: readonly Entry[]): Entry[][] {
  const causes = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { diagnosis, consumer, provider } = entry.problem;
    const key = JSON.stringify([diagnosis.providerKey, consumer.ref, provider.ref]);
    causes.set(key, [...(causes.get(key) ?? []), entry]);
  }
  return [...causes.values()];
}

/** The guilty members, including base's changes where they take part. */
export async function sidesOf(
  context: CheckContext,
  { sides }: Meeting,
  blamed: Pick<Blamed, 'guilty' | 'withBase'>,
): Promise<ReadMember[]> {
  const guilty = await readWhole(blamed.guilty.flatMap((index) => sides[index] ?? []));
  const [only] = guilty;
  if (!blamed.withBase || !only) return guilty;
  const { base, branches, workspace } = context;
  const branch = branches.find(({ ref }) => ref === only.ref);
  if (!branch) return guilty;
  const [changes = []] = await diffTrees(workspace.scratch.git, [[branch.mergeBaseTree, base.tree]], {
    renames: true,
  });
  const from = branch.mergeBaseTree;
  const members = [
    await describeMember(context, { ...branch, isBase: false }, from, branch.changes),
    await describeMember(context, { ...base, isBase: true }, from, changes),
  ];
  return readWhole(members);
}

async function readWhole(members: readonly Member[]): Promise<ReadMember[]> {
  const sides = await Promise.all(members.map((member) => member.read()));
  await Promise.all(sides.map((side) => side.load()));
  return sides;
}

async function describe(
  diagnostic: PlacedDiagnostic,
  sides: readonly ReadMember[],
  { workspace }: CheckContext,
): Promise<Found> {
  const { file, code, message, symbol, line, column, endLine } = diagnostic;
  const consumer = await consumerOf(diagnostic, sides, async (side) => {
    const blob = side.tree.git.blob(file);
    return (blob === undefined ? null : await workspace.objects.content(blob))?.toString('utf8') ?? '';
  });
  const cause = causeOf(
    diagnostic,
    sides.filter((side) => side !== consumer),
  );
  const provider = cause?.side ?? sides.find((side) => side !== consumer) ?? consumer;
  const [first = ''] = message.split('\n');
  return {
    consumer,
    provider,
    problem: {
      kind: 'diagnostic',
      key: JSON.stringify([code, symbol, first]),
      consumer: symbol,
      provider: cause?.id ?? symbol,
      file,
      sites: [{ file, symbol, line, column, endLine }],
      definedAt: [],
      proven: true,
      absence: null,
      tier: 'R3',
      statement: `${code}: ${first}`,
      mismatch: null,
      tried: [],
    },
    diagnosis: {
      providerKey: cause?.id ?? `${code} ${symbol}`,
      confidence: 'proven',
      judge: compilerOf(code),
      message: `${file} does not ${/^TS|:(?!syntax)/.test(code) ? 'type-check' : 'compile'} when ${listRefs(sides)} are merged: ${first} (${code})`,
      suggestion: cause
        ? `adapt ${file} on ${consumer.ref} to the change of ${nameOf(cause.id)} on ${provider.ref}, or the other way round`
        : `merge ${provider.ref} into ${consumer.ref} and repair ${file}`,
      provider: cause?.place ?? null,
    },
  };
}

function nameOf(id: string): string {
  return id.slice(id.indexOf('#') + 1) || id.slice(0, -1);
}

/** The member that has the line; if several do, the one that changed the file. */
async function consumerOf(
  { file, text }: PlacedDiagnostic,
  sides: readonly ReadMember[],
  read: (side: ReadMember) => Promise<string>,
): Promise<ReadMember> {
  const changing = sides.filter((side) => side.changed.has(file));
  for (const side of changing) if (text !== '' && (await read(side)).includes(text)) return side;
  const found = changing[0] ?? sides.find((side) => !side.isBase) ?? sides[0];
  if (!found) throw new Error('a diagnostic needs a guilty branch');
  return found;
}

interface Cause {
  readonly side: ReadMember;
  readonly id: string;
  readonly place: ProviderPlace;
}

/** Names between quotes in a message. */
export function quotedNames(message: string): Set<string> {
  return new Set(
    [...message.matchAll(/['"`‘“]([^'"`’”]{1,500})['"`’”]/g)].flatMap(
      ([, name = '']) => name.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [],
    ),
  );
}

/**
 * The symbol whose change best explains a diagnostic: named in its message or on its line; a changed signature counts
 * more than a changed body.
 */
function causeOf({ file, message, text }: PlacedDiagnostic, providers: readonly ReadMember[]): Cause | null {
  const quoted = quotedNames(message);
  const onLine = new Set(text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []);
  let best: { cause: Cause; score: number } | null = null;
  for (const side of providers) {
    for (const [id, changes] of side.delta) {
      for (const change of changes) {
        if (!canConcern(change, file)) continue;
        const score = scoreOf(change, quoted, onLine);
        if (score > (best?.score ?? 0)) best = { cause: { side, id, place: placeOf(change) }, score };
      }
    }
  }
  return best?.cause ?? null;
}

/** Code of one language does not explain errors in another; settings and data may. */
function canConcern(change: SymbolChange, file: string): boolean {
  return locations(change).some(({ path }) => !isCode(path) || sharesImports(path, file));
}

/** Files that can import each other share a resolver: TypeScript and Vue, but not Go and C#. */
function sharesImports(one: string, other: string): boolean {
  return dialectOf(one)?.imports.openResolver === dialectOf(other)?.imports.openResolver;
}

function scoreOf(change: SymbolChange, quoted: ReadonlySet<string>, onLine: ReadonlySet<string>): number {
  const names = locations(change).map(({ definition }) => definition.name);
  const named = names.some((name) => quoted.has(name));
  const mentioned = names.some((name) => onLine.has(name));
  if (change.kind === 'doc' || (!named && !mentioned)) return 0;
  const shape = change.kind === 'body' ? 0 : 2;
  const member = locations(change).some(({ definition }) => definition.container !== null) ? 0.5 : 0;
  return (named && mentioned ? 3 : named ? 2 : 1) + shape + member;
}

function locations(change: SymbolChange): Located[] {
  return [...('before' in change ? [change.before] : []), ...('after' in change ? [change.after] : [])];
}

function placeOf(change: SymbolChange): ProviderPlace {
  const { path, definition } = 'after' in change ? change.after : change.before;
  const { line, column, endLine } = definition;
  return {
    file: path,
    line,
    column,
    endLine,
    symbol: symbolId(path, symbolPath(definition)),
    removed: change.kind === 'removed',
  };
}
