import type { Facts } from '#code/facts/facts.ts';
import { dialectOf } from '#code/languages/index.ts';

/** What keeps a scope open: it may bring a name that nothing else shows. */
export type Opening =
  /** `setattr`, `globals()`, `module.exports = …`, a macro at the top of the file, `include!`, `__getattr__`. */
  | 'names made elsewhere'
  /** `mod alert { … }`: a module that is written in place and not read. */
  | 'module in place'
  /** `#[derive(Builder)] struct User`: a macro may make `UserBuilder`. */
  | 'made from another name'
  /** Every module or class has it: `__name__`, `toString`. */
  | 'given by the language'
  /** Other folders, modules and libraries may add to it: a package of Java. */
  | 'package in parts'
  /** A base, a decorator or a function that was not read. */
  | 'class from outside'
  /** Instances are passed to code that may set attributes; blocks and traits of other files. */
  | 'members set elsewhere'
  /** Members that are named by constants. */
  | 'named by constants'
  /** An assumption was needed: `dist/` read as `src/`, one of several readings of a conflict. */
  | 'assumption'
  /** A folder that a build writes: `src/generated/`, `target/`. */
  | 'generated'
  /** A file that is no module of its own: a script, CommonJS. */
  | 'not a module'
  /** Nothing rejects it: a key of data, a name that a tool provides. */
  | 'nobody objects';

declare const asked: unique symbol;

/** `true` that only `isClosed` gives: the scope was asked. */
export type Closed = true & { readonly [asked]: true };

/** Something is missing, and everything that may bring it was asked. Only `absent` makes one: nothing else can claim an absence. */
export interface Absence {
  /** Empty: the world is closed, so nothing can bring what is missing. */
  readonly openings: readonly Opening[];
  readonly [asked]: true;
}

/** The one way to say that something is missing: with all that may bring it anyway. */
export function absent(...openings: readonly (Opening | false)[]): Absence {
  const all = new Set(openings.filter((each) => each !== false));
  return { openings: [...all] } satisfies Omit<Absence, typeof asked> as unknown as Absence;
}

/** What is missing for the same reasons, and perhaps for more. */
export function alsoOpen({ openings }: Absence, ...more: readonly (Opening | false)[]): Absence {
  return absent(...openings, ...more);
}

/** Nothing can bring it. */
export function isClosed({ openings }: Absence): Closed | false {
  return (openings.length === 0) as Closed | false;
}

/** Openings that no longer count where the repository itself had the thing in that place and a branch took it away. */
const closedByLoss: ReadonlySet<Opening> = new Set(['package in parts']);

/** The same absence, of something that base had and a branch removed, renamed, moved or hid. */
export function hadAndLost({ openings }: Absence): Absence {
  return absent(...openings.filter((each) => !closedByLoss.has(each)));
}

/** Names of folders that tools write. */
const writtenByTools =
  /(?:^|\/)(?:_*generated_*|gen|codegen|node_modules|target|__pycache__|\.next|\.nuxt|\.svelte-kit)\//i;

/** A file that an import asks for is not there, in any of these places. */
export function absentFile(tried: readonly string[]): Absence {
  return absent(tried.some((path) => writtenByTools.test(path)) && 'generated');
}

/** A module that was read lacks a name. */
export function absentFromModule(path: string, facts: Facts, name: string): Absence {
  return absent(
    facts.opaque.length > 0 && 'names made elsewhere',
    facts.quotedNames?.includes(name) === true && 'names made elsewhere',
    dialectOf(path)?.names.isGivenToModules(name) === true && 'given by the language',
    ...(facts.unread ?? []).map(({ name: own, as }) => {
      if (as === 'name') return own === name && 'module in place';
      return name !== own && name.includes(own) && 'made from another name';
    }),
  );
}
