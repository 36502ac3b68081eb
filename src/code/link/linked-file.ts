import type { Problem } from './problem.ts';
import { Trace } from './trace.ts';

/** What a link depends on, without decoding the link. */
export interface LinkDependence {
  /** The files that were looked up. */
  paths(): Iterable<string>;
  /** The names of a file that were looked up; undefined when none was. */
  asked(path: string): Iterable<string> | undefined;
  /** The files and folders whose existence was checked; includes `paths()`. */
  looked(): Iterable<string>;
}

/** What following references could not look into. */
export interface Gaps {
  /** Packages from outside. */
  readonly packages: readonly string[];
  /** Specifiers whose target is unknown. */
  readonly imports: readonly string[];
  /** Ids of classes in which a member was looked up and whose members are not all known. */
  readonly classes: readonly string[];
}

/** The result of following the references of one file in one tree. */
export interface LinkedFile {
  readonly problems: readonly Problem[];
  /** Every name of every file that the result depends on. */
  readonly trace: Trace;
  /** How many imports, re-exports and uses were followed to something known, and how many there are. */
  readonly resolved: number;
  readonly references: number;
  readonly gaps: Gaps;
  /** Paths whose content or existence was checked; folders end with a slash. */
  readonly looked: ReadonlySet<string>;
  /** Other files whose lines appear in problems. */
  readonly shows: readonly string[];
  /** Set for a cached link: asking it is cheaper than decoding `trace` and `looked`. */
  readonly dependence?: LinkDependence;
}

export function dependenceOf(link: LinkedFile): LinkDependence {
  return (
    link.dependence ?? {
      paths: () => link.trace.names.keys(),
      asked: (path) => link.trace.names.get(path),
      looked: () => link.looked,
    }
  );
}

/** The paths the link depends on. */
export function touchedPaths(link: LinkedFile): string[] {
  const { paths, looked } = dependenceOf(link);
  return [...new Set([...paths(), ...looked()])];
}

type PackedLink = [
  problems: LinkedFile['problems'],
  resolved: number,
  references: number,
  shows: readonly string[],
  asked: readonly (readonly [path: string, names: readonly string[]])[],
  /** Without those in the trace. */
  looked: readonly string[],
  gaps: Gaps,
];

/** A link as one line of text: the form in which it is cached between checks and copied to another tree where it still holds. */
export function writeLink(link: LinkedFile): string {
  const { problems, resolved, references, shows, trace, looked, gaps } = link;
  const packed: PackedLink = [
    problems,
    resolved,
    references,
    shows,
    [...trace.names].map(([path, names]) => [path, [...names]]),
    [...looked].filter((path) => !trace.names.has(path)),
    gaps,
  ];
  return JSON.stringify(packed);
}

export function readLink(line: string): LinkedFile {
  return new KeptLink(JSON.parse(line) as PackedLink);
}

/** What it depends on is read more often than the rest is decoded. */
class KeptLink implements LinkedFile {
  readonly problems: LinkedFile['problems'];
  readonly resolved: number;
  readonly references: number;
  readonly shows: readonly string[];
  readonly gaps: Gaps;
  readonly dependence: LinkDependence;
  readonly #packed: PackedLink;
  #trace: Trace | null = null;

  constructor(packed: PackedLink) {
    const [problems, resolved, references, shows, asked, looked, gaps] = packed;
    this.problems = problems;
    this.resolved = resolved;
    this.references = references;
    this.shows = shows;
    this.gaps = gaps;
    this.#packed = packed;
    const namesOf = (path: string) => asked.find((entry) => entry[0] === path)?.[1];
    this.dependence = {
      paths: () => asked.map((entry) => entry[0]),
      asked: namesOf,
      looked: () => [...asked.map((entry) => entry[0]), ...looked],
    };
  }

  get trace(): Trace {
    if (!this.#trace) {
      this.#trace = new Trace();
      for (const [path, names] of this.#packed[4]) this.#trace.names.set(path, new Set(names));
    }
    return this.#trace;
  }

  get looked(): ReadonlySet<string> {
    return new Set(this.dependence.looked());
  }
}
