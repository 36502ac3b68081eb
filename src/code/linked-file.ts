import type { Problem } from './problem.ts';
import { Trace } from './trace.ts';

/** What a link depended on, without taking it apart. */
export interface LinkDependence {
  /** The names of a file that were asked for; undefined when none was. */
  asked(path: string): Iterable<string> | undefined;
  hasLooked(path: string): boolean;
  /** The files and the names of each that were asked for. */
  entries(): Iterable<readonly [path: string, names: Iterable<string>]>;
}

/** What following the references of one file in one tree came to. */
export interface LinkedFile {
  readonly problems: readonly Problem[];
  /** Every name of every file that the answer depends on. */
  readonly trace: Trace;
  /** Imports, re-exports and uses that were followed to something known, and all of them. */
  readonly resolved: number;
  readonly references: number;
  /** Paths whose content or presence was looked at on the way; folders end with a slash. */
  readonly looked: ReadonlySet<string>;
  /** Other files whose lines are told of. */
  readonly shows: readonly string[];
  /** Set when the link was unpacked: asking it is cheaper than unpacking trace and looks. */
  readonly dependence?: LinkDependence;
}

/** Links as they are kept between checks: paths are many times the same, so they are numbered. */
export interface PackedLinks {
  readonly paths: readonly string[];
  readonly links: readonly (readonly [path: number, link: PackedLink])[];
}

interface PackedLink extends Pick<LinkedFile, 'problems' | 'resolved' | 'references' | 'shows'> {
  readonly trace: readonly (readonly [path: number, names: readonly string[]])[];
  /** Beyond those in the trace. */
  readonly looked: readonly number[];
}

export function packLinks(links: Iterable<readonly [string, LinkedFile]>): PackedLinks {
  const numbers = new Map<string, number>();
  const numberOf = (path: string): number => {
    const known = numbers.get(path);
    if (known !== undefined) return known;
    numbers.set(path, numbers.size);
    return numbers.size - 1;
  };
  const packed = [...links].map(
    ([path, link]) =>
      [
        numberOf(path),
        link instanceof UnpackedLink ? link.repacked(numberOf) : packLink(link, numberOf),
      ] as const,
  );
  return { paths: [...numbers.keys()], links: packed };
}

function packLink(link: LinkedFile, numberOf: (path: string) => number): PackedLink {
  const { trace, looked, problems, resolved, references, shows } = link;
  return {
    problems,
    resolved,
    references,
    shows,
    trace: [...trace.names].map(([file, names]) => [numberOf(file), [...names]] as const),
    looked: [...looked].filter((path) => !trace.names.has(path)).map(numberOf),
  };
}

export function dependenceOf({ dependence, trace, looked }: LinkedFile): LinkDependence {
  return (
    dependence ?? {
      asked: (path) => trace.names.get(path),
      hasLooked: (path) => looked.has(path),
      entries: () => trace.names,
    }
  );
}

export function unpackLinks({ paths, links }: PackedLinks): Map<string, LinkedFile> {
  const numbers = new Map(paths.map((path, number) => [path, number]));
  const pathOf = (number: number): string => paths[number] ?? '';
  const numberOf = (path: string): number => numbers.get(path) ?? -1;
  return new Map(links.map(([path, packed]) => [pathOf(path), new UnpackedLink(packed, pathOf, numberOf)]));
}

/** Many links are only counted: what they depended on is unpacked when somebody asks. */
class UnpackedLink implements LinkedFile {
  readonly problems: LinkedFile['problems'];
  readonly resolved: number;
  readonly references: number;
  readonly shows: readonly string[];
  readonly #packed: PackedLink;
  readonly #pathOf: (number: number) => string;
  readonly dependence: LinkDependence;
  #trace: Trace | null = null;
  #looked: Set<string> | null = null;

  constructor(packed: PackedLink, pathOf: (number: number) => string, numberOf: (path: string) => number) {
    this.problems = packed.problems;
    this.resolved = packed.resolved;
    this.references = packed.references;
    this.shows = packed.shows;
    this.#packed = packed;
    this.#pathOf = pathOf;
    this.dependence = {
      entries: () => packed.trace.map(([number, names]) => [pathOf(number), names] as const),
      asked: (path) => {
        const wanted = numberOf(path);
        return wanted < 0 ? undefined : packed.trace.find(([number]) => number === wanted)?.[1];
      },
      hasLooked: (path) => {
        const wanted = numberOf(path);
        return (
          wanted >= 0 &&
          (packed.looked.includes(wanted) || packed.trace.some(([number]) => number === wanted))
        );
      },
    };
  }

  /** As it was packed, but for the numbers of paths. */
  repacked(numberOf: (path: string) => number): PackedLink {
    const renumbered = (number: number) => numberOf(this.#pathOf(number));
    return {
      ...this.#packed,
      trace: this.#packed.trace.map(([file, names]) => [renumbered(file), names] as const),
      looked: this.#packed.looked.map(renumbered),
    };
  }

  get trace(): Trace {
    if (!this.#trace) {
      this.#trace = new Trace();
      for (const [file, names] of this.#packed.trace)
        this.#trace.names.set(this.#pathOf(file), new Set(names));
    }
    return this.#trace;
  }

  get looked(): ReadonlySet<string> {
    this.#looked ??= new Set([...this.trace.names.keys(), ...this.#packed.looked.map(this.#pathOf)]);
    return this.#looked;
  }
}
