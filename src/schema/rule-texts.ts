/** What a person reads about a rule. */
interface RuleText {
  readonly what: string;
  /** Two branches, each fine alone. */
  readonly example: { readonly a: readonly string[]; readonly b: readonly string[] };
  readonly todo: string;
  readonly languages: readonly RuleLanguage[];
  /** Share of findings expected to be real; an estimate until the accuracy bench has measured it. */
  readonly precision: number;
}

export type RuleLanguage = 'any' | 'typescript' | 'javascript' | 'python' | 'json' | 'yaml' | 'toml' | 'env';

const code = ['typescript', 'javascript', 'python'] as const satisfies readonly RuleLanguage[];
const typed = ['typescript', 'python'] as const satisfies readonly RuleLanguage[];

const table: Readonly<Record<string, RuleText>> = {
  T01: {
    what: 'Git itself cannot merge the branches: they change the same lines, or one edits what the other deletes. A person has to decide; what is wrong however they decide is reported beside it.',
    example: { a: ['- timeout = 10', '+ timeout = 30'], b: ['- timeout = 10', '+ timeout = 60'] },
    todo: 'Merge or rebase one branch onto the other and resolve the marked lines; then check again, because a resolved text can still hide a conflict of meaning.',
    languages: ['any'],
    precision: 0.76,
  },
  T02: {
    what: 'Git reports a conflict, but the two edits touch different symbols: both add something at the same spot, or edit neighbours. Keeping both is very likely right.',
    example: {
      a: ['  class Report:', '+     def to_json(self): ...'],
      b: ['  class Report:', '+     def to_yaml(self): ...'],
    },
    todo: 'Resolve the conflict by keeping both additions, and read the result once: order can matter.',
    languages: code,
    precision: 0.92,
  },
  T03: {
    what: 'The text merges without a conflict, yet the merged file is no longer valid code, although it is on each branch.',
    example: {
      a: ['- if (ready) {', '-   start(); }', '+ if (ready) start();'],
      b: ['  start(); }', '+ else { wait(); }'],
    },
    todo: 'Rebase one branch on the other and repair the file where both edits meet.',
    languages: code,
    precision: 0.99,
  },
  T04: {
    what: 'One branch deletes a symbol, or rewrites it elsewhere, while the other one edits it. Git shows at most conflicting lines; this says which symbol it is about and that the edit has no place to go.',
    example: {
      a: ['- export function slugify(text) { ... }'],
      b: [
        '  export function slugify(text) {',
        '-   return text.toLowerCase();',
        '+   return text.trim().toLowerCase();',
      ],
    },
    todo: 'Decide whether the symbol stays. If it moved, carry the edit to its new place; if it is gone, check that its replacement needs the same edit.',
    languages: code,
    precision: 0.98,
  },
  T05: {
    what: 'One branch moves code to another file, the other edits it in the old one. Git sees lines that went and lines that came: the moved copy does not have the edit, and whoever resolves the conflict by taking the move loses it without a word.',
    example: {
      a: [
        '- parse.ts:   export function parse(input) { ... }',
        '+ parser.ts:  export function parse(input) { ... }',
      ],
      b: ['  parse.ts:   export function parse(input) {', "+               if (input === '') return null;"],
    },
    todo: 'Make the edit again at the new place.',
    languages: code,
    precision: 0.97,
  },
  T06: {
    what: 'Both branches add the same key at different places of one data file. It merges cleanly, and readers keep one of the two values without a word.',
    example: { a: ['+ "retry": 3,'], b: ['+ "retry": 5'] },
    todo: 'Keep one entry with the value you mean.',
    languages: ['json', 'yaml', 'toml', 'env'],
    precision: 0.99,
  },
  T07: {
    what: 'The union holds two paths that differ only in case or in the way accents are written. Where file names ignore that, as on macOS and Windows, one file overwrites the other.',
    example: { a: ['+ src/Button.tsx'], b: ['+ src/button.tsx'] },
    todo: 'Rename one of the files, or merge the two if they are meant to be the same.',
    languages: ['any'],
    precision: 1,
  },
  S01: {
    what: 'One branch removes a symbol, the other starts to use it. Each builds alone; together the use has nothing to refer to.',
    example: {
      a: ['- export function parseDate(text) { ... }'],
      b: ["+ import { parseDate } from './dates'", '+ const day = parseDate(row.created);'],
    },
    todo: 'Bring the symbol back, or replace its use with what the removing branch put in its place.',
    languages: code,
    precision: 0.98,
  },
  S02: {
    what: 'One branch renames a symbol and every use it can see; the other adds a use of the old name.',
    example: {
      a: ['- export function getUser(id) { ... }', '+ export function fetchUser(id) { ... }'],
      b: ['+ const user = await getUser(id);'],
    },
    todo: 'Use the new name in the other branch. Where a fix is offered, it is a plain replacement.',
    languages: code,
    precision: 0.98,
  },
  S03: {
    what: 'One branch moves a module or a symbol to another file; the other imports it from the old place.',
    example: {
      a: ['  lib/http.ts -> lib/net/http.ts'],
      b: ["+ import { get } from './lib/http'"],
    },
    todo: 'Import from the new place.',
    languages: code,
    precision: 0.99,
  },
  S04: {
    what: 'One branch changes how many arguments a function takes; the other adds a call of the old shape.',
    example: {
      a: ['- def send(to, body):', '+ def send(to, body, *, tenant):'],
      b: ['+ send(address, text)'],
    },
    todo: 'Adapt the call, or give the new parameter a default.',
    languages: code,
    precision: 0.96,
  },
  S05: {
    what: 'One branch renames a parameter that callers may pass by name; the other adds a call with the old name.',
    example: {
      a: ['- def connect(host, timeout=5):', '+ def connect(host, timeout_s=5):'],
      b: ['+ connect(host, timeout=2)'],
    },
    todo: 'Pass the argument by its new name.',
    languages: code,
    precision: 0.96,
  },
  S06: {
    what: 'One branch changes the order of parameters whose types are alike; the other adds a call in the old order. Mostly no type checker can see it; where one does, the finding blocks.',
    example: {
      a: ['- function copy(from: string, to: string)', '+ function copy(to: string, from: string)'],
      b: ['+ copy(draft, published);'],
    },
    todo: 'Swap the arguments of the new call; an options object would make the next change safe.',
    languages: code,
    precision: 0.92,
  },
  S07: {
    what: 'One branch changes what a function gives back: it may now be empty, or has another shape. The other adds code that relies on the old result.',
    example: {
      a: ['- function find(id): User', '+ function find(id): User | undefined'],
      b: ['+ send(find(id).email);'],
    },
    todo: 'Handle the new result where it is used.',
    languages: typed,
    precision: 0.92,
  },
  S08: {
    what: 'One branch makes a function asynchronous, or synchronous again; the other adds a call that treats it the old way and gets a promise instead of a value.',
    example: {
      a: ['- function load(): Config', '+ async function load(): Promise<Config>'],
      b: ['+ const port = load().port;'],
    },
    todo: 'Await the call, and make its callers asynchronous as far as needed.',
    languages: code,
    precision: 0.97,
  },
  S09: {
    what: 'One branch changes how a function reports failure, for instance by raising where it returned nothing; the other adds a caller that checks the old way.',
    example: {
      a: ['-     return None', '+     raise NotFound(key)'],
      b: ['+ if get(key) is None:', '+     create(key)'],
    },
    todo: 'Handle failure in the new way at the call. Read both sides: this rule judges by shape and can be wrong.',
    languages: code,
    precision: 0.75,
  },
  S10: {
    what: 'One branch removes or renames a field of a class, interface or record; the other adds code that reads or writes it.',
    example: {
      a: ['  class User:', '-     name: str', '+     full_name: str'],
      b: ['+ greet(user.name)'],
    },
    todo: 'Follow the rename, or agree on one set of fields.',
    languages: code,
    precision: 0.95,
  },
  S11: {
    what: 'One branch adds a required member to an interface or abstract class; the other adds an implementation without it.',
    example: {
      a: ['  interface Storage {', '+   delete(key: string): void;'],
      b: ['+ class Bucket implements Storage { get() {} put() {} }'],
    },
    todo: 'Implement the member, or make it optional.',
    languages: typed,
    precision: 0.98,
  },
  S12: {
    what: 'One branch changes or removes a method of a base class; the other adds an override of the old one, which is now called wrongly or never.',
    example: {
      a: ['- def render(self, ctx):', '+ def render(self, ctx, options):'],
      b: ['+ class Card(Base):', '+     def render(self, ctx): ...'],
    },
    todo: 'Give the override the new signature.',
    languages: code,
    precision: 0.94,
  },
  S13: {
    what: 'One branch stops exporting something, or makes it private; the other starts to import it.',
    example: {
      a: ["- export * from './dates';"],
      b: ["+ import { iso } from '@app/core';"],
    },
    todo: 'Keep it public, or import it from where it is still exported.',
    languages: code,
    precision: 0.97,
  },
  S14: {
    what: 'One branch adds a member to an enum or a union of values; the other adds a switch that covers all the old members and has no default.',
    example: {
      a: ["- type Status = 'open' | 'done';", "+ type Status = 'open' | 'done' | 'archived';"],
      b: ["+ switch (status) { case 'open': return 1; case 'done': return 2; }"],
    },
    todo: 'Handle the new member in the new switch.',
    languages: typed,
    precision: 0.92,
  },
  S15: {
    what: 'One branch shifts the numbers behind an enum; the other adds code that has the old number written out beside a value of that enum.',
    example: {
      a: ['  ACTIVE = 1', '+ PAUSED = 2', '- DONE = 2', '+ DONE = 3'],
      b: ['+ if job.status == 2:', '+     archive(job)'],
    },
    todo: 'Use the name instead of the number, or append new members at the end.',
    languages: typed,
    precision: 0.9,
  },
  S16: {
    what: 'One branch changes how many type parameters a type takes; the other adds a use with the old number.',
    example: {
      a: ['- class Repo<T>', '+ class Repo<T, Key>'],
      b: ['+ class Users extends Repo<User> {}'],
    },
    todo: 'Pass the new type argument, or give it a default.',
    languages: ['typescript'],
    precision: 0.99,
  },
  S17: {
    what: 'Both branches add a definition of the same name to the same scope. The text merges; the code is invalid, or the later definition silently wins.',
    example: {
      a: ['+ def slug(title): ...        # at the top of text.py'],
      b: ['+ def slug(text): ...         # at the end of text.py'],
    },
    todo: 'Keep one definition, or give one of them another name.',
    languages: code,
    precision: 0.98,
  },
  S18: {
    what: 'Through one barrel or star import, the same name arrives from two modules, each brought by another branch. TypeScript rejects it, JavaScript exports neither, Python silently takes the last one.',
    example: {
      a: ["+ export * from './format';    // has pad"],
      b: ["+ export * from './string';    // has pad"],
    },
    todo: 'Export the wanted one by name, or rename one of them.',
    languages: code,
    precision: 0.96,
  },
  S19: {
    what: 'Each branch adds an import, and only together they close a circle. Modules may then be used before they are initialised. Looked for where one of the imports leads straight to a file that the other branch changed; the way back may take any files.',
    example: { a: ['  a.py:', '+ import b'], b: ['  b.py:', '+ import a'] },
    todo: 'Move what both need into a third module, or import inside the function that needs it.',
    languages: code,
    precision: 0.92,
  },
  S20: {
    what: 'Both sides are new: one branch provides something, the other uses it and expects another name or shape. Alone, the using branch merely misses its provider; together, they disagree.',
    example: {
      a: ['+ class User:', '+     id: int', '+     name: str'],
      b: ['+ def title(user: User):', '+     return user.display_name'],
    },
    todo: 'Agree on one name and shape; either side can follow.',
    languages: code,
    precision: 0.98,
  },
  S21: {
    what: 'A branch adds an import that nothing provides: not the base, not the branch, not any other branch of the check. It may be waiting for work that is not there yet. This concerns one branch alone, so it never blocks. What base imports in vain too, such as a generated module, is not told.',
    example: { a: ['  (adds nothing called app/teams)'], b: ['+ from app.teams import Team'] },
    todo: 'Add the missing module, check together with the branch that has it, or correct the path.',
    languages: code,
    precision: 0.95,
  },
  V01: {
    what: 'TypeScript reports an error in the union that it reports on no branch alone and not on the base. Where another rule has found the same cause, its finding carries what the compiler said instead, and blocks.',
    example: {
      a: ['- interface User { name: string }', '+ interface User { name: string | null }'],
      b: ['+ const title = user.name.toUpperCase();'],
    },
    todo: 'Adapt the place to the other branch, as you would after a merge; docs/type-checkers.md says which compiler was asked and how.',
    languages: ['typescript', 'javascript'],
    precision: 0.99,
  },
  V02: {
    what: "Python or the project's type checker (mypy, pyright) reports an error in the union that it reports on no branch alone and not on the base.",
    example: {
      a: ['- def find(key: str) -> str: ...', '+ def find(key: str) -> str | None: ...'],
      b: ['+ return find(key).upper()'],
    },
    todo: 'Adapt the place to the other branch, as you would after a merge.',
    languages: ['python'],
    precision: 0.98,
  },
};

/** Every rule about text and symbols, by id. */
export const ruleTexts: ReadonlyMap<string, RuleText> = new Map(Object.entries(table));
