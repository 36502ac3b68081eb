import type { Definition, Export, Facts, Import, Use } from '#code/facts/facts.ts';
import { extractFacts } from './extract.ts';
import type { Dialect } from './reading.ts';
import { openParsers } from './tree/parser.ts';

/** For tests: the facts of a snippet, and each kind of fact in a form that fits on a line. */

const parsers = await openParsers();

export function factsOf(text: string, dialect: Dialect = 'ts'): Facts {
  return extractFacts(text, dialect, parsers);
}

export function definitionOf(text: string, path: string, dialect: Dialect = 'ts'): Definition {
  const found = factsOf(text, dialect).definitions.filter((definition) => pathOf(definition) === path);
  if (found.length !== 1) throw new Error(`${found.length} definitions of ${path}`);
  return found[0] as Definition;
}

/** `class User`, `method User.save`, in order. */
export function definitions(text: string, dialect: Dialect = 'ts'): string[] {
  return factsOf(text, dialect).definitions.map((definition) => `${definition.kind} ${pathOf(definition)}`);
}

/** `call ns.read`, `read ~User.name` for a value of type User, with `?` when existence is tested. */
export function uses(text: string, dialect: Dialect = 'ts'): string[] {
  return factsOf(text, dialect).uses.map(lineOfUse);
}

function lineOfUse(use: Use): string {
  const root = use.rootIs === 'instance' ? `~${use.root}` : use.root;
  return `${use.kind} ${[root, ...use.path].join('.')}${use.guarded ? '?' : ''}`;
}

/** `a as b from ./x`, with marks for what is special. */
export function imports(text: string, dialect: Dialect = 'ts'): string[] {
  return factsOf(text, dialect).imports.map(lineOfImport);
}

function lineOfImport(fact: Import): string {
  const marks = [
    fact.form === 'static' ? '' : fact.form,
    fact.typeOnly ? 'type' : '',
    fact.guarded ? 'guarded' : '',
  ];
  const name = fact.local === fact.imported ? fact.imported : `${fact.imported} as ${fact.local}`;
  return [`${name} from ${fact.from}`, ...marks].filter((mark) => mark !== '').join(' ');
}

export function exports(text: string, dialect: Dialect = 'ts'): string[] {
  return factsOf(text, dialect).exports.map(lineOfExport);
}

function lineOfExport(fact: Export): string {
  const source = fact.from === null ? `${fact.local}` : `${fact.imported} from ${fact.from}`;
  return `${fact.name} = ${source}${fact.typeOnly ? ' type' : ''}`;
}

function pathOf(definition: Definition): string {
  return definition.container === null ? definition.name : `${definition.container}.${definition.name}`;
}
