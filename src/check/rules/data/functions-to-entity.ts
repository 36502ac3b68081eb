import type { Spot, Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { Route } from '#code/formats/shared/data-facts.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { UseEdge } from '#code/link/link.ts';
import { conceptOf } from './changed-data.ts';

interface Handled {
  readonly file: string;
  readonly route: Route;
  /** All routes of the file: the next one ends the handler. */
  readonly routes: readonly Route[];
}

/** Lines of a file. */
interface Lines {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

type Function = Spot & { readonly what: string };

/** A handler calls a service, the service a repository. */
const mostCalls = 3;

/** The functions from the handler of a route to the first one that mentions an entity; null when none does. */
export async function functionsToEntity(
  survey: Survey,
  side: SurveyedBranch,
  { file, route, routes }: Handled,
  entities: ReadonlySet<string>,
): Promise<Function[] | null> {
  const text = await survey.read(side.tree, file);
  if (text === null) return null;
  const { tree } = await (await side.member()).read();
  const next = Math.min(...routes.map(({ line }) => line).filter((line) => line > route.line));
  const to = Math.min(next - 1, lastLine(text, route.line));
  let open: { readonly lines: Lines; readonly through: readonly Function[] }[] = [
    { lines: { file, from: route.line, to }, through: [] },
  ];
  const seen = new Set<string>();
  for (let depth = 0; depth < mostCalls; depth++) {
    const reached: typeof open = [];
    for (const { lines, through } of open)
      for (const { path, definition } of await usesIn(tree, lines)) {
        const symbol = symbolPath(definition);
        if (seen.has(`${path}#${symbol}`) || !/^(?:function|method|variable)$/.test(definition.kind))
          continue;
        seen.add(`${path}#${symbol}`);
        const own = [
          ...through,
          { side, file: path, line: definition.line, name: definition.name, what: symbol },
        ];
        const body = { file: path, from: definition.line, to: definition.endLine };
        if (speaksOf(linesOf(await survey.read(side.tree, path), body), entities)) return own;
        reached.push({ lines: body, through: own });
      }
    open = reached;
  }
  return null;
}

/** The definitions that the code in some lines uses. */
async function usesIn(tree: CodeTree, { file, from, to }: Lines): Promise<readonly UseEdge[]> {
  await tree.loadFacts([file]);
  for (;;) {
    const edges = tree.uses(file, ({ line }) => from <= line && line <= to);
    if (await tree.settle()) return edges;
  }
}

function linesOf(text: string | null, { from, to }: Lines): string {
  return (
    text
      ?.split('\n')
      .slice(from - 1, to)
      .join('\n') ?? ''
  );
}

/** `prisma.user.findMany(…)`, `.from(users)`, `select(User)`, `-> User`. */
function speaksOf(text: string, entities: ReadonlySet<string>): boolean {
  const names = text.matchAll(
    /\b(?:prisma\w*|db|tx|client)\.(?<model>\w+)\.\w+\(|\b(?:from|insert|update|delete|into|query)\((?<table>\w+)|\b(?<type>[A-Z][a-z]\w*)/gi,
  );
  return [...names].some(({ groups }) =>
    Object.values(groups ?? {}).some((name) => name !== undefined && entities.has(conceptOf(name))),
  );
}

/** The last line of the block that starts here: before the next line that is not indented further, once one was. */
function lastLine(text: string, first: number): number {
  const lines = text.split('\n');
  const depth = (line: string) => line.search(/\S/);
  const own = depth(lines[first - 1] ?? '');
  let isInside = false;
  for (const [at, line] of lines.entries()) {
    if (at < first || depth(line) < 0) continue;
    if (depth(line) > own) isInside = true;
    else if (isInside) return at;
  }
  return lines.length;
}
