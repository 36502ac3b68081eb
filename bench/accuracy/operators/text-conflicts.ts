import { posix } from 'node:path';
import { insertAll, removeDefinition } from '../edit.ts';
import type { Candidate, Edits, Operator } from '../operator.ts';
import { type Project, specifier, type TopLevel } from '../project.ts';
import { functionOf } from './added-use.ts';

const note = (text: string) => `\n  void '${text}';`;

/** Adds a statement at the start of a function. */
function noted(project: Project, target: TopLevel, text: string): Edits {
  const start = functionOf(target)?.body?.start ?? 0;
  return new Map([
    [target.path, insertAll(project.text(target.path), [{ offset: start + 1, text: note(text) }])],
  ]);
}

/** Functions with a body of several lines, and another one far enough away in the same file if there is one. */
function* withNeighbours(project: Project, targets: readonly TopLevel[]) {
  const isLong = (target: TopLevel) => (functionOf(target)?.body?.body.length ?? 0) >= 2;
  const all = project.exported('function').filter(isLong);
  for (const target of targets.filter(isLong)) {
    const isAway = (other: TopLevel) =>
      other.path === target.path && (other.start > target.end + 40 || other.end + 40 < target.start);
    const neighbour = all.find(isAway) ?? all.find(({ path }) => path !== target.path);
    if (neighbour) yield { target, neighbour };
  }
}

/** Both sides insert a statement at the same place. */
export const sameLine: Operator = {
  name: 'same line',
  rule: 'T01',
  oracle: 'conflict',
  *candidates(project, random): Iterable<Candidate> {
    for (const { target, neighbour } of withNeighbours(
      project,
      random.shuffled(project.exported('function')),
    )) {
      const a = noted(project, target, 'joinery a');
      yield {
        a,
        b: noted(project, target, 'joinery b'),
        twin: { a, b: noted(project, neighbour, 'joinery b') },
        consumerFile: target.path,
        symbol: target.path,
      };
    }
  },
};

/** Both sides append a function to one file; in the twin it has the same name. */
export const appendBoth: Operator = {
  name: 'both append',
  rule: 'T02',
  oracle: 'keep-both',
  companions: ['T01'],
  *candidates(project, random): Iterable<Candidate> {
    const paths = [...project.facts].flatMap(([path, { definitions }]) =>
      definitions.length > 0 ? [path] : [],
    );
    for (const path of random.shuffled(paths)) {
      const appended = (name: string, value: string) =>
        new Map([
          [
            path,
            // One line each: if both end with the same brace, the lines alone do not show whose it is.
            `${project.text(path).trimEnd()}\n\nexport function ${name}(input: string): string { return input + '${value}'; }\n`,
          ],
        ]);
      const a = appended('joineryFirst', 'a');
      yield {
        a,
        b: appended('joinerySecond', 'b'),
        twin: { a, b: appended('joineryFirst', 'b') },
        consumerFile: path,
        symbol: path,
      };
    }
  },
};

/** A removes a function that nothing uses; B edits it. */
export const removeEdited: Operator = {
  name: 'remove edited function',
  rule: 'T04',
  oracle: 'conflict',
  companions: ['T01'],
  *candidates(project, random): Iterable<Candidate> {
    const unused = project
      .exported('function')
      .filter((target) => !project.isImported(target.name) && !project.isUsedAtHome(target));
    for (const { target, neighbour } of withNeighbours(project, random.shuffled(unused))) {
      const a = removeDefinition(project, target);
      yield {
        a,
        b: noted(project, target, 'joinery edit'),
        twin: { a, b: noted(project, neighbour, 'joinery edit') },
        consumerFile: target.path,
        symbol: target.name,
      };
    }
  },
};

/** A moves a function to a new file and re-exports it from the old place; B edits it there. */
export const moveEdited: Operator = {
  name: 'move edited function',
  rule: 'T05',
  oracle: 'lost-edit',
  companions: ['T01'],
  *candidates(project, random): Iterable<Candidate> {
    const movable = project
      .exported('function')
      .filter((target) => !project.isUsedAtHome(target) && !project.needsHome(target));
    for (const { target, neighbour } of withNeighbours(project, random.shuffled(movable))) {
      const { path, start, end, name } = target;
      const text = project.text(path);
      const movedTo = posix.join(posix.dirname(path), 'joinery-moved.ts');
      const imports = text.match(/^import\b[^;'"]*?['"][^'"]+['"];?$/gm)?.join('\n') ?? '';
      const left = `${text.slice(0, start)}export { ${name} } from '${specifier(path, movedTo)}';${text.slice(end)}`;
      const a = new Map([
        [path, left],
        [movedTo, `${imports}\n\n${text.slice(start, end)}\n`],
      ]);
      yield {
        a,
        b: noted(project, target, 'joinery edit'),
        twin: { a, b: noted(project, neighbour, 'joinery edit') },
        edit: { text: note('joinery edit'), movedTo },
        consumerFile: path,
        symbol: name,
      };
    }
  },
};

/** A comments a function out; B adds a comment inside it, which ends A's. */
export const commentOut: Operator = {
  name: 'comment out',
  rule: 'T03',
  oracle: 'parse',
  *candidates(project, random): Iterable<Candidate> {
    for (const target of random.shuffled(project.exported('function'))) {
      const { path, start, end } = target;
      const text = project.text(path);
      const statements = functionOf(target)?.body?.body ?? [];
      const middle = statements[Math.floor(statements.length / 2)];
      const inside = text.slice(start, end);
      if (!middle || inside.includes('*/') || inside.split('\n').length < 8) continue;
      const comment = (offset: number) =>
        new Map([[path, insertAll(text, [{ offset, text: '/* joinery: why? */\n' }])]]);
      const a = new Map([
        [
          path,
          insertAll(text, [
            { offset: start, text: '/* off for now\n' },
            { offset: end, text: '\n*/' },
          ]),
        ],
      ]);
      yield {
        a,
        b: comment(middle.start),
        twin: { a, b: comment(0) },
        consumerFile: path,
        symbol: path,
      };
    }
  },
};
