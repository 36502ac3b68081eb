import type { Problem } from './problem.ts';
import { Trace } from './trace.ts';

/** What a link depended on, without taking it apart. */
export interface LinkDependence {
  /** The files of which something was asked. */
  paths(): Iterable<string>;
  /** The names of a file that were asked for; undefined when none was. */
  asked(path: string): Iterable<string> | undefined;
  /** The files and folders that were looked at; those of which something was asked are among them. */
  looked(): Iterable<string>;
}

/** What following references did not look into. */
export interface Gaps {
  /** Packages from outside. */
  readonly packages: readonly string[];
  /** Specifiers of which could not be told where they lead. */
  readonly imports: readonly string[];
  /** Ids of classes that were asked for a member and whose members are not all known. */
  readonly classes: readonly string[];
}

/** What following the references of one file in one tree came to. */
export interface LinkedFile {
  readonly problems: readonly Problem[];
  /** Every name of every file that the answer depends on. */
  readonly trace: Trace;
  /** Imports, re-exports and uses that were followed to something known, and all of them. */
  readonly resolved: number;
  readonly references: number;
  readonly gaps: Gaps;
  /** Paths whose content or presence was looked at on the way; folders end with a slash. */
  readonly looked: ReadonlySet<string>;
  /** Other files whose lines are told of. */
  readonly shows: readonly string[];
  /** Set when the link was kept: asking it is cheaper than making trace and looks of it. */
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
  /** Beyond those that were asked. */
  looked: readonly string[],
  gaps: Gaps,
];

/** A link as one line of text: so it is kept between checks, and so it is handed on when it holds in another tree. */
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

/** What it depended on is asked more often than taken apart. */
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
