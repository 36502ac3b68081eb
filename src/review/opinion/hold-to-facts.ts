import { hasWord } from '#review/findings/verify-finding.ts';
import type { Claim, ClaimedPlace } from './claim.ts';

/** A branch of the check, as claims may name it. */
export interface KnownBranch {
  readonly ref: string;
  readonly commit: string;
  /** Paths that the branch changes. */
  readonly changed: ReadonlySet<string>;
  /** Files that claims name, by path; a missing entry means that the file does not exist. */
  readonly files: ReadonlyMap<string, string>;
}

export interface Facts {
  /** In the order of the prompt. */
  readonly branches: readonly KnownBranch[];
  readonly base: KnownBranch;
  /** Items of the contract with the result of the contract check; null: there is no contract. */
  readonly contract: readonly ContractFact[] | null;
}

export interface ContractFact {
  readonly name: string;
  /** Words by which a claim can name the item: its name, table, path, function. */
  readonly words: readonly string[];
  /** Result of the contract check: `satisfied`, `missing` and so on. */
  readonly status: string;
  readonly detail: string;
}

export interface HeldPlace {
  readonly branch: string;
  readonly file: string;
  readonly line: number | null;
  readonly symbol: string | null;
  readonly role: ClaimedPlace['role'];
  readonly text: string;
}

export interface Held {
  readonly claim: Claim;
  /** Refs of the check; may include the base. */
  readonly branches: readonly string[];
  readonly places: readonly HeldPlace[];
  /** The contract item the claim is about. */
  readonly item: ContractFact | null;
}

export type Judged = { readonly held: Held } | { readonly dropped: string };

/** Checks whether everything that a claim names exists where it says. */
export function holdToFacts(claim: Claim, facts: Facts): Judged {
  const named: KnownBranch[] = [];
  for (const name of claim.branches) {
    const branch = branchNamed(name, facts);
    if (!branch) return { dropped: `there is no branch ${name} in this check` };
    named.push(branch);
  }
  if (claim.contractItem !== null) return holdToContract(claim, claim.contractItem, facts);
  if (claim.places.length === 0) return { dropped: 'it names no place' };
  const places: HeldPlace[] = [];
  for (const place of claim.places) {
    const found = find(place, named, facts);
    if (typeof found === 'string') return { dropped: found };
    places.push(found);
  }
  const refs = [...new Set([...named.map(({ ref }) => ref), ...places.map(({ branch }) => branch)])];
  const branches = refs.filter((ref) => facts.branches.some((branch) => branch.ref === ref));
  if (branches.length === 0) return { dropped: 'it is about no branch of this check' };
  const withBase = refs.includes(facts.base.ref) && claim.branches.includes(facts.base.ref);
  return {
    held: { claim, branches: withBase ? [facts.base.ref, ...branches] : branches, places, item: null },
  };
}

/** Every file that claims name: these have to be read before the claims can be verified. */
export function filesNamed(claims: readonly Claim[]): string[] {
  return [...new Set(claims.flatMap(({ places }) => places.map(({ file }) => file)))];
}

function holdToContract(claim: Claim, item: string, { contract, branches }: Facts): Judged {
  if (contract === null) return { dropped: 'there is no contract: --contract <file>' };
  const fact = contract.find(({ words }) => words.some((word) => hasWord(item, word)));
  if (!fact) return { dropped: `the contract has no item ${item}` };
  if (fact.status === 'satisfied') return { dropped: `code finds ${fact.name} satisfied` };
  return { held: { claim, branches: branches.map(({ ref }) => ref), places: [], item: fact } };
}

/** By its name, or by its number in the prompt. */
function branchNamed(name: string, { branches, base }: Facts): KnownBranch | undefined {
  return (
    [...branches, base].find(({ ref }) => ref === name) ??
    (/^\d{1,4}$/.test(name) ? branches[Number(name) - 1] : undefined)
  );
}

/** The path of the place, or a sentence that says why there is none. */
function find(place: ClaimedPlace, named: readonly KnownBranch[], facts: Facts): HeldPlace | string {
  if (place.branch !== null) {
    const branch = branchNamed(place.branch, facts);
    return branch ? findIn(place, branch) : `there is no branch ${place.branch} in this check`;
  }
  const asked = named.length > 0 ? named : facts.branches;
  const able = [
    ...asked.filter(({ changed }) => changed.has(place.file)),
    ...asked.filter(({ changed }) => !changed.has(place.file)),
  ];
  const tried = able.map((branch) => findIn(place, branch));
  return tried.find((each) => typeof each !== 'string') ?? tried[0] ?? 'it names no branch';
}

function findIn({ file, line, symbol, role }: ClaimedPlace, branch: KnownBranch): HeldPlace | string {
  const { ref } = branch;
  const text = branch.files.get(file);
  if (text === undefined) return `${file} does not exist on ${ref}`;
  const lines = linesOf(text);
  if (line !== null && (line < 1 || line > lines.length))
    return `${file} has ${lines.length} lines on ${ref}, and it names line ${line}`;
  if (symbol !== null && !hasWord(text, symbol)) return `there is no ${symbol} in ${file} on ${ref}`;
  return { branch: ref, file, line, symbol, role, text };
}

export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
