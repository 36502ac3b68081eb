import { mergeOrder } from '#check/risk/merge-order.ts';
import { covers } from '#schema/declared-files.ts';
import type { Plan, Task } from '#schema/plan.ts';
import type { GateFinding } from '#schema/planning.ts';
import { parallelPairs } from './order.ts';
import type { CodeReading } from './reading.ts';

export interface SizeLimits {
  /** Lines of existing files a task may touch before a warning. */
  readonly warnLines: number;
  /** From this number on the task is refused. */
  readonly failLines: number;
}

export interface Decomposition {
  /** The plan with missing dependencies added. */
  readonly plan: Plan;
  readonly findings: readonly GateFinding[];
}

/** Checks that the tasks can be done in parallel. Decided by code, from the files and the module graph. */
export function judgeDecomposition(plan: Plan, code: CodeReading, limits: SizeLimits): Decomposition {
  const { plan: repaired, findings } = orderBySymbols(plan, code);
  return {
    plan: repaired,
    findings: [...sizes(repaired, code, limits), ...sharedFiles(repaired), ...findings],
  };
}

function sizes({ tasks }: Plan, code: CodeReading, { warnLines, failLines }: SizeLimits): GateFinding[] {
  return tasks.flatMap((task): GateFinding[] => {
    const lines = filesOf(task, code).reduce((sum, path) => sum + (code.lines[path] ?? 0), 0);
    if (lines <= warnLines) return [];
    const isTooLarge = lines >= failLines;
    const limit = isTooLarge
      ? `the limit is ${failLines}`
      : `more than ${warnLines} is a lot for one attempt`;
    return [
      {
        check: 'task-size',
        status: isTooLarge ? 'fail' : 'warn',
        tasks: [task.id],
        message: `task ${task.id} touches files of ${lines} lines; ${limit}: split it, or declare fewer files`,
      },
    ];
  });
}

function sharedFiles({ tasks }: Plan): GateFinding[] {
  return parallelPairs(tasks).flatMap(([a, b]): GateFinding[] => {
    const shared = sharedDeclarations(a, b);
    if (shared.length === 0) return [];
    return [
      {
        check: 'shared-file',
        status: 'fail',
        tasks: [a.id, b.id],
        message: `tasks ${a.id} and ${b.id} both change ${list(shared)} and neither depends on the other: let one depend on the other, or give the file to one of them`,
      },
    ];
  });
}

/** Files that both declare; for a folder and a file in it, the file. */
function sharedDeclarations(a: Task, b: Task): string[] {
  const shared = a.files.flatMap((mine) =>
    b.files.flatMap((theirs) => {
      if (covers(mine, plain(theirs))) return [theirs];
      return covers(theirs, plain(mine)) ? [mine] : [];
    }),
  );
  return [...new Set(shared)];
}

function plain(declared: string): string {
  return declared.replace(/^(\.\/)+/, '').replace(/(?<!\/)\/+$/, '');
}

/** A task waits for another one that changes what it uses. Each added dependency is reported. */
function orderBySymbols(plan: Plan, code: CodeReading): Decomposition {
  const findings: GateFinding[] = [];
  const places = leastRework(plan, code);
  let tasks = plan.tasks;
  // One at a time: an added dependency may order other pairs too.
  for (;;) {
    const clash = parallelPairs(tasks)
      .map(([a, b]) => clashOf(a, b, code, places))
      .find((found) => found !== null);
    if (!clash) return { plan: tasks === plan.tasks ? plan : { ...plan, tasks }, findings };
    const { provider, consumer, symbols, isMutual } = clash;
    tasks = tasks.map((task) =>
      task.id === consumer ? { ...task, dependsOn: [...task.dependsOn, provider] } : task,
    );
    const also = isMutual ? `, and ${provider} uses what ${consumer} changes` : '';
    findings.push({
      check: 'shared-symbol',
      status: 'repaired',
      tasks: [provider, consumer],
      message: `task ${consumer} now depends on ${provider}: its files use ${list(symbols)}, which ${provider} changes${also}`,
    });
  }
}

interface Clash {
  readonly provider: string;
  readonly consumer: string;
  readonly symbols: readonly string[];
  readonly isMutual: boolean;
}

/**
 * The position of each task in the order in which the fewest uses have to follow a later change: the order that seam risk computes for
 * branches, here from what tasks declare to change.
 */
function leastRework({ tasks }: Plan, code: CodeReading): ReadonlyMap<string, number> {
  const boundaries = tasks.flatMap((defines) =>
    tasks
      .filter((consumes) => consumes !== defines)
      .map((consumes) => ({
        defines: defines.id,
        consumes: consumes.id,
        symbols: usedSymbols(defines, consumes, code),
      })),
  );
  const order = mergeOrder(
    tasks.map(({ id }) => id),
    boundaries.filter(({ symbols }) => symbols.length > 0),
  );
  return new Map(order.map((id, place) => [id, place]));
}

/** When each task uses what the other changes, the first is the one that leaves less to follow. */
function clashOf(a: Task, b: Task, code: CodeReading, places: ReadonlyMap<string, number>): Clash | null {
  const isFirst = (places.get(a.id) ?? 0) < (places.get(b.id) ?? 0);
  const [first, second] = isFirst ? [a, b] : [b, a];
  const fromFirst = usedSymbols(first, second, code);
  const fromSecond = usedSymbols(second, first, code);
  if (fromFirst.length > 0)
    return { provider: first.id, consumer: second.id, symbols: fromFirst, isMutual: fromSecond.length > 0 };
  return fromSecond.length > 0
    ? { provider: second.id, consumer: first.id, symbols: fromSecond, isMutual: false }
    : null;
}

/** Symbols that the provider changes and a file of the consumer uses. */
export function usedSymbols(provider: Task, consumer: Task, code: CodeReading): string[] {
  const [own, others] = [new Set(filesOf(provider, code)), new Set(filesOf(consumer, code))];
  const used = code.uses
    .filter(({ from, to }) => others.has(from) && own.has(to) && !own.has(from))
    .flatMap(({ to, names }) =>
      names.filter((name) => changes(provider, to, name)).map((name) => `${to}#${name}`),
    );
  return [...new Set(used)];
}

/** A task without declared changes in a file may change anything that the file exports. */
function changes({ changes: said = [] }: Task, path: string, name: string): boolean {
  const inFile = said.filter((symbol) => symbol.startsWith(`${path}#`));
  // A change of a member is a change of its container.
  return inFile.length === 0 || inFile.some((symbol) => symbol.slice(path.length + 1).split('.')[0] === name);
}

export function filesOf({ files }: Pick<Task, 'files'>, { existing }: CodeReading): string[] {
  return [...new Set(files.flatMap((declared) => existing[declared] ?? []))];
}

const mostNamed = 5;

function list(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
