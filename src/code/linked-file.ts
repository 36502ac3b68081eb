import type { Problem } from './problem.ts';
import { Trace } from './trace.ts';

/** What a link depended on, without taking it apart. */
export interface LinkDependence {
  /** The files of which something was asked. */
  paths(): Iterable<string>;
  /** The names of a file that were asked for; undefined when none was. */
  asked(path: string): Iterable<string> | undefined;
  hasLooked(path: string): boolean;
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

export function dependenceOf(link: LinkedFile): LinkDependence {
  return (
    link.dependence ?? {
      paths: () => link.trace.names.keys(),
      asked: (path) => link.trace.names.get(path),
      hasLooked: (path) => link.looked.has(path),
    }
  );
}

/** Links as they are kept between checks: paths and names are many times the same, so they are numbered. */
export interface PackedLinks {
  readonly paths: readonly string[];
  readonly names: readonly string[];
  readonly links: readonly (readonly [path: number, link: PackedLink])[];
}

interface PackedLink extends Pick<LinkedFile, 'problems' | 'resolved' | 'references' | 'shows'> {
  /** The number of a path, then those of the names. */
  readonly trace: readonly (readonly number[])[];
  /** Paths beyond those in the trace. */
  readonly looked: readonly number[];
}

/** Gives each text a number, in the order in which they come. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  texts(): string[] {
    return [...this.#numbers.keys()];
  }
}

export function packLinks(links: Iterable<readonly [string, LinkedFile]>): PackedLinks {
  const paths = new Numbering();
  const names = new Numbering();
  const pack = (link: LinkedFile) =>
    link instanceof UnpackedLink ? link.repacked(paths, names) : packLink(link, paths, names);
  const packed = [...links].map(([path, link]) => [paths.of(path), pack(link)] as const);
  return { paths: paths.texts(), names: names.texts(), links: packed };
}

function packLink(link: LinkedFile, paths: Numbering, names: Numbering): PackedLink {
  const { trace, looked, problems, resolved, references, shows } = link;
  return {
    problems,
    resolved,
    references,
    shows,
    trace: [...trace.names].map(([file, asked]) => [
      paths.of(file),
      ...[...asked].map((name) => names.of(name)),
    ]),
    looked: [...looked].filter((path) => !trace.names.has(path)).map((path) => paths.of(path)),
  };
}

export function unpackLinks(packed: PackedLinks): Map<string, LinkedFile> {
  const numbers = new Map(packed.paths.map((path, number) => [path, number]));
  return new Map(
    packed.links.map(([path, link]) => [
      packed.paths[path] ?? '',
      new UnpackedLink(link, packed, (wanted) => numbers.get(wanted) ?? -1),
    ]),
  );
}

/** Many links are only counted: what they depended on is unpacked when somebody asks. */
class UnpackedLink implements LinkedFile {
  readonly problems: LinkedFile['problems'];
  readonly resolved: number;
  readonly references: number;
  readonly shows: readonly string[];
  readonly #packed: PackedLink;
  readonly #texts: Pick<PackedLinks, 'paths' | 'names'>;
  readonly dependence: LinkDependence;
  #trace: Trace | null = null;
  #looked: Set<string> | null = null;

  constructor(
    packed: PackedLink,
    texts: Pick<PackedLinks, 'paths' | 'names'>,
    numberOf: (path: string) => number,
  ) {
    this.problems = packed.problems;
    this.resolved = packed.resolved;
    this.references = packed.references;
    this.shows = packed.shows;
    this.#packed = packed;
    this.#texts = texts;
    // Asked for every link of a tree, many times: without taking arrays apart, which costs an object for each element.
    const inTrace = (path: string) => {
      const wanted = numberOf(path);
      return wanted < 0 ? undefined : packed.trace.find((entry) => entry[0] === wanted);
    };
    this.dependence = {
      paths: () => packed.trace.map((entry) => this.#path(entry[0] as number)),
      asked: (path) => {
        const entry = inTrace(path);
        return entry && this.#namesIn(entry);
      },
      hasLooked: (path) => packed.looked.includes(numberOf(path)) || inTrace(path) !== undefined,
    };
  }

  /** As it was packed, but for the numbers. */
  repacked(paths: Numbering, names: Numbering): PackedLink {
    return {
      ...this.#packed,
      trace: this.#packed.trace.map((entry) =>
        entry.map((number, at) => (at === 0 ? paths.of(this.#path(number)) : names.of(this.#name(number)))),
      ),
      looked: this.#packed.looked.map((path) => paths.of(this.#path(path))),
    };
  }

  get trace(): Trace {
    if (!this.#trace) {
      this.#trace = new Trace();
      for (const entry of this.#packed.trace)
        this.#trace.names.set(this.#path(entry[0] as number), new Set(this.#namesIn(entry)));
    }
    return this.#trace;
  }

  get looked(): ReadonlySet<string> {
    this.#looked ??= new Set([
      ...this.dependence.paths(),
      ...this.#packed.looked.map((path) => this.#path(path)),
    ]);
    return this.#looked;
  }

  #namesIn(entry: readonly number[]): string[] {
    return entry.slice(1).map((name) => this.#name(name));
  }

  #path(number: number): string {
    return this.#texts.paths[number] ?? '';
  }

  #name(number: number): string {
    return this.#texts.names[number] ?? '';
  }
}
