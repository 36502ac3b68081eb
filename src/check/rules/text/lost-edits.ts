import type { Owner } from '#check/findings/owner.ts';
import type { ReadMember } from '#check/members/member.ts';
import type { DiagnosedProblem, Diagnosis } from '#check/rules/diagnosis.ts';
import type { Located, SymbolChange } from '#code/delta/symbol-delta.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import type { RuleId } from '#schema/rules.ts';
import { textProblem } from './text-problem.ts';

type Gone = Extract<SymbolChange, { kind: 'removed' | 'moved' | 'renamed' }>;

interface LostEdit {
  /** Who took the symbol away, and who edited it where it stood. */
  readonly remover: ReadMember;
  readonly editor: ReadMember;
  readonly gone: Gone;
  /** The symbol as the editor has it. */
  readonly edited: Located;
}

/**
 * T04 and T05: one branch takes a symbol away, the other edits it where it stood. Git sees lines; where it reports a
 * conflict, these say what it is about and have the same owner.
 */
export function lostEdits(
  a: ReadMember,
  b: ReadMember,
  union: CodeTree,
  conflicted: ReadonlySet<string>,
  ownerOfConflict: Owner | undefined,
): DiagnosedProblem[] {
  return [...editsLostBetween(a, b), ...editsLostBetween(b, a)].flatMap((lost) => {
    const diagnosis = diagnoseLost(lost, union, conflicted);
    if (!diagnosis) return [];
    const { editor, remover, edited } = lost;
    const own = symbolPath(edited.definition);
    const site = place(edited.path, edited.definition, own);
    const problem = {
      ...textProblem([edited.path], diagnosis.message),
      consumer: site.symbol,
      provider: site.symbol,
      sites: [site],
    };
    const owner = conflicted.has(edited.path) && ownerOfConflict ? { owner: ownerOfConflict } : {};
    return [{ problem, consumer: editor, provider: remover, diagnosis: { ...diagnosis, ...owner } }];
  });
}

function* editsLostBetween(remover: ReadMember, editor: ReadMember): Generator<LostEdit> {
  if (!shareFiles(remover, editor)) return;
  for (const [id, changes] of remover.delta) {
    const gone = changes.find(isGone);
    if (!gone || isGitRename(remover, gone) || isContainerGone(remover, gone)) continue;
    const edit = editor.delta.get(id)?.find(({ kind }) => kind === 'body' || kind === 'signature');
    if (edit && edit.kind !== 'added' && edit.kind !== 'removed')
      yield { remover, editor, gone, edited: edit.after };
  }
}

function shareFiles(a: ReadMember, b: ReadMember): boolean {
  const ofA = new Set(a.changes.map(({ path, oldPath }) => oldPath ?? path));
  return b.changes.some(({ path, oldPath }) => ofA.has(oldPath ?? path));
}

function isGone(change: SymbolChange): change is Gone {
  return change.kind === 'removed' || change.kind === 'moved' || change.kind === 'renamed';
}

/** Git carries edits along into a file that it sees renamed. */
function isGitRename(side: ReadMember, gone: Gone): boolean {
  return gone.kind !== 'removed' && side.renames.get(gone.before.path) === gone.after.path;
}

/** What goes with its class is told once, for the class. */
function isContainerGone(side: ReadMember, { before }: Gone): boolean {
  const { container } = before.definition;
  return container !== null && (side.delta.get(symbolId(before.path, container))?.some(isGone) ?? false);
}

function diagnoseLost(lost: LostEdit, union: CodeTree, conflicted: ReadonlySet<string>): Diagnosis | null {
  const { remover, editor, gone, edited } = lost;
  const name = symbolPath(gone.before.definition);
  const { path } = gone.before;
  if (gone.kind === 'removed') {
    if (!conflicted.has(path) && definitionIn(union, path, name)) return null;
    const isFileGone = remover.changes.some((change) => change.path === path && change.status === 'deleted');
    return {
      ...shared('T04', isFileGone ? symbolId(path, '') : symbolId(path, name)),
      confidence: 'proven',
      message: `${remover.ref} removes ${isFileGone ? path : `${name} of ${path}`}, where ${editor.ref} changes ${name}: the change has no place to go`,
      suggestion: `keep ${name}, or check that what takes its place needs the same change`,
      mechanical: { consumer: false, provider: false },
      provider: { ...place(path, gone.before.definition, name), removed: true },
    };
  }
  const target = symbolPath(gone.after.definition);
  const now = definitionIn(union, gone.after.path, target);
  // Where the merged text has the edit, or is yet to be merged by hand, nothing is lost.
  if (now?.bodyHash !== gone.after.definition.bodyHash || now.bodyHash === edited.definition.bodyHash)
    return null;
  const isMove = gone.exact && gone.after.path !== path;
  const where = gone.after.path === path ? target : `${target} of ${gone.after.path}`;
  return {
    ...shared(isMove ? 'T05' : 'T04', symbolId(path, name)),
    confidence: isMove ? 'proven' : 'likely',
    message: `${remover.ref} moves ${name} of ${path} to ${where}; ${editor.ref} changes it in the old place: the moved code does not have the change`,
    suggestion: `make the change of ${editor.ref} in ${where}`,
    mechanical: { consumer: true, provider: false },
    provider: { ...place(gone.after.path, gone.after.definition, target), removed: false },
  };
}

function shared(rule: RuleId, providerKey: string) {
  return { rule, providerKey, fix: null, sitesAreOfBranch: true } as const;
}

function definitionIn(tree: CodeTree, path: string, symbol: string) {
  return tree.facts(path)?.definitions.find((definition) => symbolPath(definition) === symbol);
}
