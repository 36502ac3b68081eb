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

export function dependenceOf({ dependence, trace, looked }: LinkedFile): LinkDependence {
  return (
    dependence ?? {
      paths: () => trace.names.keys(),
      asked: (path) => trace.names.get(path),
      hasLooked: (path) => looked.has(path),
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
  readonly trace: readonly (readonly [path: number, ...names: number[]])[];
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
    trace: [...trace.names].map(
      ([file, asked]) => [paths.of(file), ...[...asked].map((name) => names.of(name))] as const,
    ),
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
    const inTrace = (path: string) => {
      const wanted = numberOf(path);
      return wanted < 0 ? undefined : packed.trace.find(([number]) => number === wanted);
    };
    this.dependence = {
      paths: () => packed.trace.map(([path]) => this.#path(path)),
      asked: (path) => {
        const [, ...names] = inTrace(path) ?? [];
        return names.length === 0 ? undefined : names.map((name) => this.#name(name));
      },
      hasLooked: (path) => packed.looked.includes(numberOf(path)) || inTrace(path) !== undefined,
    };
  }

  /** As it was packed, but for the numbers. */
  repacked(paths: Numbering, names: Numbering): PackedLink {
    return {
      ...this.#packed,
      trace: this.#packed.trace.map(
        ([file, ...asked]) =>
          [paths.of(this.#path(file)), ...asked.map((name) => names.of(this.#name(name)))] as const,
      ),
      looked: this.#packed.looked.map((path) => paths.of(this.#path(path))),
    };
  }

  get trace(): Trace {
    if (!this.#trace) {
      this.#trace = new Trace();
      for (const [file, ...asked] of this.#packed.trace)
        this.#trace.names.set(this.#path(file), new Set(asked.map((name) => this.#name(name))));
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

  #path(number: number): string {
    return this.#texts.paths[number] ?? '';
  }

  #name(number: number): string {
    return this.#texts.names[number] ?? '';
  }
}
