import { parseSync, Visitor } from 'oxc-parser';
import { insertAll } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import type { Project, TopLevel } from '../project.ts';
import { addedFile, importOf, typeOf } from './added-use.ts';
import { planted, type Shape } from './seeded-base.ts';

const sink = (more: string) =>
  `export interface JoinerySink {\n  write(text: string): void;\n${more}}\n\nexport class JoineryConsole implements JoinerySink {\n  write(text: string): void {\n    void text;\n  }\n${more === '' ? '' : '  flush(): void {}\n'}}\n`;
const shape = (more: string, own: string) =>
  `export abstract class JoineryShape {\n  abstract area(): number;\n${more}}\n\nexport class JoinerySquare extends JoineryShape {\n  area(): number {\n    return 1;\n  }\n${own}}\n`;

const shapes: readonly Shape[] = [
  {
    symbol: 'JoinerySink',
    before: sink(''),
    after: sink('  flush(): void;\n'),
    afterInTwin: sink('  flush?(): void;\n'),
    uses: (from) =>
      `import type { JoinerySink } from '${from}';\n\nexport class AddedFeature implements JoinerySink {\n  write(text: string): void {\n    void text;\n  }\n}\n`,
  },
  {
    symbol: 'JoineryShape',
    before: shape('', ''),
    after: shape('  abstract outline(): number;\n', '  override outline(): number {\n    return 4;\n  }\n'),
    afterInTwin: shape('  outline(): number {\n    return 0;\n  }\n', ''),
    uses: (from) =>
      `import { JoineryShape } from '${from}';\n\nexport class AddedFeature extends JoineryShape {\n  override area(): number {\n    return 2;\n  }\n}\n`,
  },
];

/** A adds a method to an interface or abstract class and to all its classes; B adds a class with only the old methods. */
export const addMember: Operator = {
  name: 'add interface member',
  rule: 'S11',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    // A frequently used interface is written as a literal somewhere, which A would have to complete as well.
    const rare = project.exported('interface').filter(({ name }) => project.countOf(name) <= 4);
    for (const target of random.shuffled(rare)) {
      const members = membersOf(target);
      const end = bodyEnd(target);
      if (!members || end === null) continue;
      const growing = (member: string) =>
        new Map([
          ...implementers(project, target),
          [target.path, withMember(project, target, end, member)] as const,
        ]);
      const body = members.map((member) => `  ${member}\n`).join('');
      const added = `${importOf(target)}\nexport class AddedFeature implements ${typeOf(target)} {\n${body}}\n`;
      const b = new Map([[addedFile, added]]);
      yield {
        a: growing('joineryAdded(): void'),
        b,
        twin: { a: growing('joineryAdded?(): void'), b },
        consumerFile: addedFile,
        symbol: target.name,
      };
    }
    // Most interfaces of the projects are written as a literal somewhere.
    yield* planted(project, random, shapes);
  },
};

function withMember(project: Project, target: TopLevel, end: number, member: string): string {
  const own = implementers(project, target).get(target.path) ?? project.text(target.path);
  // Classes of the same file may be before or after it: the end of the interface is found again by its text.
  const text = project.text(target.path).slice(target.start, end - 1);
  return own.replace(text, () => `${text}${/[;,{]\s*$/.test(text) ? '' : ';'}\n  ${member};\n`);
}

function bodyEnd({ node }: TopLevel): number | null {
  const inner = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  if (inner?.type !== 'TSInterfaceDeclaration' || inner.extends.length > 0) return null;
  return inner.body.end;
}

/** A class member for each member of the interface; null if one of them has no name. */
function membersOf({ node }: TopLevel): string[] | null {
  const inner = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  if (inner?.type !== 'TSInterfaceDeclaration') return null;
  const members: string[] = [];
  for (const member of inner.body.body) {
    if (member.type !== 'TSPropertySignature' && member.type !== 'TSMethodSignature') return null;
    if (member.computed || member.key.type !== 'Identifier') return null;
    const text =
      member.type === 'TSMethodSignature'
        ? `${member.key.name}(..._given: any[]): any {}`
        : `${member.key.name}: any;`;
    if (!members.includes(text)) members.push(text);
  }
  return members;
}

function implementers(project: Project, { name }: TopLevel): Map<string, string> {
  const edits = new Map<string, string>();
  for (const file of project.occurrences(name).keys()) {
    const text = project.text(file);
    const places: { offset: number; text: string }[] = [];
    new Visitor({
      ClassDeclaration: (node) => {
        const isOne = node.implements?.some(
          ({ expression }) => expression.type === 'Identifier' && expression.name === name,
        );
        if (isOne) places.push({ offset: node.body.end - 1, text: '  joineryAdded(): void {}\n' });
      },
    }).visit(parseSync(file, text).program);
    if (places.length > 0) edits.set(file, insertAll(text, places));
  }
  return edits;
}
