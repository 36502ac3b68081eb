import type { Definition, Export, Facts, Import, Use } from '#code/facts/facts.ts';
import { extractFacts } from './extract.ts';
import type { Variant } from './reading.ts';
import { openParsers } from './tree/parser.ts';

/** For tests: the facts of a snippet, and each kind of fact as one line of text. */

const parsers = await openParsers();

export function factsOf(text: string, variant: Variant = 'ts'): Facts {
  return extractFacts(text, variant, parsers);
}

export function definitionOf(text: string, path: string, variant: Variant = 'ts'): Definition {
  const found = factsOf(text, variant).definitions.filter((definition) => pathOf(definition) === path);
  if (found.length !== 1) throw new Error(`${found.length} definitions of ${path}`);
  return found[0] as Definition;
}

/** `class User`, `method User.save`, in order. */
export function definitions(text: string, variant: Variant = 'ts'): string[] {
  return factsOf(text, variant).definitions.map((definition) => `${definition.kind} ${pathOf(definition)}`);
}

/** `call ns.read`, `read ~User.name` for a value of type User, `any(User)` if it is cast, with `?` when existence is tested. */
export function uses(text: string, variant: Variant = 'ts'): string[] {
  return factsOf(text, variant).uses.map(lineOfUse);
}

function lineOfUse(use: Use): string {
  const roots = { instance: `~${use.root}`, cast: `any(${use.root})` };
  const root = use.rootIs === 'instance' || use.rootIs === 'cast' ? roots[use.rootIs] : use.root;
  return `${use.kind} ${[root, ...use.path].join('.')}${use.guarded ? '?' : ''}`;
}

/** `a as b from ./x`, with marks for special cases. */
export function imports(text: string, variant: Variant = 'ts'): string[] {
  return factsOf(text, variant).imports.map(lineOfImport);
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

export function exports(text: string, variant: Variant = 'ts'): string[] {
  return factsOf(text, variant).exports.map(lineOfExport);
}

function lineOfExport(fact: Export): string {
  const source = fact.from === null ? `${fact.local}` : `${fact.imported} from ${fact.from}`;
  return `${fact.name} = ${source}${fact.typeOnly ? ' type' : ''}`;
}

function pathOf(definition: Definition): string {
  return definition.container === null ? definition.name : `${definition.container}.${definition.name}`;
}
