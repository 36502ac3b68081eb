import type { Field } from '#contract/shapes.ts';
import { escapePattern } from '#lib/escape-pattern.ts';

/** A field in the source, decorators included. */
export interface WrittenField {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly text: string;
}

/** `team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))` */
export function pythonField({ file, line, name, text }: WrittenField): Field {
  const annotation = new RegExp(String.raw`^\s*(?:self\.)?${name}\s*:\s*([^=\n#]+)`).exec(text)?.[1]?.trim();
  const column = /\b(?:Column|mapped_column)\(\s*['"](\w+)['"]/.exec(text)?.[1];
  const isDjangoKey = /\b(?:ForeignKey|OneToOneField)\(/.test(text) && /\bmodels\./.test(text);
  const aliases = [...(column === undefined ? [] : [column]), ...(isDjangoKey ? [`${name}_id`] : [])];
  return {
    name,
    aliases,
    type: annotation ?? /=\s*(?:\w+\.)?Column\(\s*(?:['"]\w+['"]\s*,\s*)?([\w.]+)/.exec(text)?.[1] ?? null,
    target: pythonTarget(text, annotation ?? ''),
    file,
    line,
  };
}

function pythonTarget(text: string, annotation: string): Field['target'] {
  const django =
    /\bmodels\.(?:ForeignKey|OneToOneField|ManyToManyField)\(\s*(?:to\s*=\s*)?['"]?([\w.]+)['"]?/.exec(
      text,
    )?.[1];
  if (django !== undefined) return typed(django.split('.').at(-1));
  const key = /\bForeignKey\(\s*['"](?:\w+\.)*?(\w+)\.\w+['"]/.exec(text)?.[1];
  if (key !== undefined) return { kind: 'table', name: key };
  // SQLModel: Field(foreign_key="team.id").
  const model = /\bforeign_key\s*=\s*['"](?:\w+\.)*?(\w+)\.\w+['"]/.exec(text)?.[1];
  if (model !== undefined) return { kind: 'table', name: model };
  const related = /\brelationship\(\s*['"]?([A-Z]\w*)/.exec(text)?.[1];
  return typed(related ?? namedIn(annotation));
}

/** `@ManyToOne(() => Team) readonly team?: Team;` */
export function typescriptField({ file, line, name, text }: WrittenField): Field {
  const before = new RegExp(String.raw`(?:^|[\s{,(;])${escapePattern(name)}\s*(?:[?!]\s*)?:\s*`).exec(text);
  const type = before ? typeAt(text, before.index + before[0].length) : undefined;
  const column = /@(?:Column|JoinColumn|PrimaryColumn)\([^)]{0,500}name:\s*['"`](\w+)['"`]/.exec(text)?.[1];
  const target = /@(?:ManyToOne|OneToOne|OneToMany|ManyToMany)\(\s*(?:\(\w*\)|\w+)\s*=>\s*(\w+)/.exec(
    text,
  )?.[1];
  return {
    name,
    aliases: column === undefined ? [] : [column],
    type: type ?? null,
    target: typed(target ?? namedIn(type ?? '')),
    file,
    line,
  };
}

/** The type that starts here: it ends with its line, its list or the enclosing bracket. */
function typeAt(text: string, from: number): string | undefined {
  let depth = 0;
  for (let at = from; at <= text.length; at++) {
    const char = text[at] ?? '\n';
    const isArrow = char === '>' && text[at - 1] === '=';
    if (depth === 0 && (';,)}]\n'.includes(char) || (char === '=' && text[at + 1] !== '>')))
      return text.slice(from, at).trim() || undefined;
    if ('([{<'.includes(char)) depth++;
    else if (')]}>'.includes(char) && !isArrow) depth--;
  }
  return undefined;
}

/** Wrappers around the type that matters. */
const wrappers = new Set([
  ...['Mapped', 'Optional', 'List', 'Sequence', 'Set', 'Dict', 'Union', 'Any', 'Array', 'ReadonlyArray'],
  ...['Record', 'Map', 'Promise', 'Partial', 'Readonly', 'None', 'Date', 'String', 'Number', 'Boolean'],
]);

/** The type of the project that an annotation names: `Mapped[list["Order"]]` names Order. */
function namedIn(annotation: string): string | undefined {
  return [...annotation.matchAll(/\b[A-Z]\w*/g)].map(([name]) => name).find((name) => !wrappers.has(name));
}

function typed(name: string | undefined): Field['target'] {
  return name === undefined ? null : { kind: 'type', name };
}
