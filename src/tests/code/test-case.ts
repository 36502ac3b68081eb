/** What one test promises, as far as its text tells. */
export interface TestCase {
  /** Suites and title: `users > are found by id`. Empty for assertions that stand outside every test. */
  readonly id: string;
  readonly line: number;
  /** `sometimes`: skipped on a condition. */
  readonly runs: 'always' | 'sometimes' | 'never';
  /** The word that keeps it from running: `it.skip`. */
  readonly skippedBy: string;
  /** Runs alone, so that all others do not. */
  readonly focused: boolean;
  /** It stands in an exported function of this name, and runs when another file calls that. */
  readonly offeredAs?: string;
  /** All of it as written: the same text promises the same. */
  readonly source: string;
  readonly assertions: readonly Assertion[];
  /** Cases of a table of inputs. */
  readonly rows: number | null;
  readonly timeoutMs: number | null;
  /** How often it may fail before it counts. */
  readonly retries: number;
}

export interface Assertion {
  /** What is looked at. */
  readonly subject: string;
  /** Its assertions, where they can be separated. */
  readonly demand?: string;
  /** The whole of it, in one spelling. */
  readonly text: string;
  readonly strength: Strength;
  /** Conditions it counts on; none when it always does. */
  readonly guards?: readonly string[];
  readonly line: number;
}

/** 4: one value. 3: a part or a kind. 2: hardly more than that something is there. 1: never fails in effect. 0: cannot fail. */
export type Strength = 0 | 1 | 2 | 3 | 4;

export interface TestFile {
  readonly cases: readonly TestCase[];
  /** Set when the whole file is kept from running. */
  readonly skippedBy: string;
  readonly bindings?: Bindings;
  /** Why its tests could not be separated. */
  readonly unreadable?: string;
}

/** What names in a file of tests stand for. */
export interface Bindings {
  readonly imported: readonly ImportedName[];
  readonly declared: readonly string[];
  /** Names of test runners that the file calls. */
  readonly runner: readonly string[];
  /** Those that it makes itself. */
  readonly remade: readonly string[];
  /** What replaces a module or a tool: `vi.mock("./add.js")` in the test of `add.js`. */
  readonly tricks: readonly string[];
}

export interface ImportedName {
  readonly name: string;
  /** As written: `./add.js`, `app.core`. */
  readonly from: string;
}

/** Longer than what anybody asserts; what differs only beyond this is taken for the same. */
const longest = 2000;

/** Both sides of a change hold mostly the same texts. */
const mostKnown = 5000;
const known = new Map<string, string>();

/** One spelling: white space and the kind of quotes say nothing. */
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
