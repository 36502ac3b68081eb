import type { Definition, Facts, Use } from '#code/facts/facts.ts';
import { python } from './index.ts';

/** Facts of a file given as lines. For tests, after `python.prepare()`. */
export function factsOf(...lines: string[]): Facts {
  return python.extract(`${lines.join('\n')}\n`);
}

/** Uses on one line each: `call User.save`, `read (User).name` for a member of an instance, `?` when guarded. */
export function usesOf(...lines: string[]): string[] {
  return factsOf(...lines).uses.map(renderUse);
}

function renderUse(use: Use): string {
  const roots = {
    name: use.root,
    instance: `(${use.root})`,
    package: `'${use.root}'`,
    fixture: `@${use.root}`,
    cast: `any(${use.root})`,
  };
  const root = roots[use.rootIs];
  return `${use.kind} ${[root, ...use.path].join('.')}${use.guarded ? '?' : ''}`;
}

export function definitionsOf(...lines: string[]): string[] {
  return factsOf(...lines).definitions.map((definition) => `${definition.kind} ${symbolOf(definition)}`);
}

export function definitionNamed(facts: Facts, symbol: string): Definition {
  const found = facts.definitions.find((definition) => symbolOf(definition) === symbol);
  if (found === undefined) throw new Error(`no definition ${symbol}`);
  return found;
}

function symbolOf({ container, name }: Definition): string {
  return container === null ? name : `${container}.${name}`;
}
