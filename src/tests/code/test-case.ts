/** What one test checks, as far as its text shows. */
export interface TestCase {
  /** Suites and title: `users > are found by id`. Empty for assertions outside every test. */
  readonly id: string;
  readonly line: number;
  /** `sometimes`: skipped on a condition. */
  readonly runs: 'always' | 'sometimes' | 'never';
  /** The word that prevents it from running: `it.skip`. */
  readonly skippedBy: string;
  /** Runs exclusively, so that the other tests do not run. */
  readonly focused: boolean;
  /** It is in an exported function of this name, and runs when another file calls that. */
  readonly offeredAs?: string;
  /** Its full text: equal texts check the same. */
  readonly source: string;
  readonly assertions: readonly Assertion[];
  /** Number of rows in its table of inputs. */
  readonly rows: number | null;
  readonly timeoutMs: number | null;
  /** How many times it may fail before the failure counts. */
  readonly retries: number;
}

export interface Assertion {
  /** The expression under test. */
  readonly subject: string;
  /** The matcher part, if it can be separated. */
  readonly demand?: string;
  /** The whole assertion, with normalized spelling. */
  readonly text: string;
  readonly strength: Strength;
  /** Conditions it depends on; none if it always counts. */
  readonly guards?: readonly string[];
  readonly line: number;
}

/** 4: one value. 3: a part or a kind. 2: little more than existence. 1: practically never fails. 0: cannot fail. */
export type Strength = 0 | 1 | 2 | 3 | 4;

export interface TestFile {
  readonly cases: readonly TestCase[];
  /** Set if the whole file is prevented from running. */
  readonly skippedBy: string;
  readonly bindings?: Bindings;
  /** Why its tests could not be separated. */
  readonly unreadable?: string;
}

/** What the names in a test file refer to. */
export interface Bindings {
  readonly imported: readonly ImportedName[];
  readonly declared: readonly string[];
  /** Names of test runners that the file calls. */
  readonly runner: readonly string[];
  /** Those that the file defines itself. */
  readonly remade: readonly string[];
  /** Replacements of a module or a tool: `vi.mock("./add.js")` in the test of `add.js`. */
  readonly tricks: readonly string[];
}

export interface ImportedName {
  readonly name: string;
  /** As written: `./add.js`, `app.core`. */
  readonly from: string;
}

/** Longer than real assertions; differences after this length are ignored. */
const longest = 2000;

/** Both sides of a change contain mostly the same texts. */
const mostKnown = 5000;
const known = new Map<string, string>();

/** Normalized spelling: white space and the kind of quotes do not matter. */
export function spelled(text: string): string {
  const found = known.get(text);
  if (found !== undefined) return found;
  const written = spell(text);
  if (known.size >= mostKnown) known.clear();
  known.set(text, written);
  return written;
}

function spell(text: string): string {
  return text
    .slice(0, longest)
    .replace(/\s+/g, ' ')
    .replace(/(["'`])((?:(?!\1)[^\\])*)\1/g, '"$2"')
    .replace(/ ?([()[\]{},.;:=!<>+*/&|-]) ?/g, '$1')
    .replace(/(?<![,;])[,;]+(?=[)\]}]|$)/g, '')
    .trim();
}
