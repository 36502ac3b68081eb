/** What a CI job is about. */
export type Occasion =
  /** A pull request was opened or pushed to. */
  | { readonly kind: 'pull'; readonly number: number; readonly base: string }
  /** A merge queue tries a pull request on top of base and of what is ahead of it: `baseCommit`. */
  | {
      readonly kind: 'queue';
      readonly number: number;
      readonly base: string;
      readonly baseCommit: string;
      /** Full name of the ref that has `baseCommit` in its history. */
      readonly headRef: string;
    }
  /** Anything else: all open pull requests. null: the default branch. */
  | { readonly kind: 'all'; readonly base: string | null };

/** An open pull request (GitHub) or merge request (GitLab). */
export interface Pull {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly isFork: boolean;
}

export type PullState = 'open' | 'closed' | 'merged';

export interface Comment {
  readonly id: number;
  readonly body: string;
  readonly author: string;
  readonly isBot: boolean;
}

/** GitHub or GitLab: the part that a check needs. */
export interface Forge {
  readonly name: 'github' | 'gitlab';
  /** What it calls a pull request. */
  readonly noun: string;
  /** Where git fetches from. */
  readonly remote: { readonly url: string; readonly login: string | null };
  readonly occasion: Occasion;
  /** Name under which a pull request is checked: `pull/12`. */
  nameOf(number: number): string;
  /** The forge's short notation: `#12`, `!12`. */
  markOf(number: number): string;
  linkOf(number: number): string;
  /** The ref with its commits, also for forks: `refs/pull/12/head`. */
  headOf(number: number): string;
  defaultBranch(): Promise<string>;
  /** Open pull requests into one branch, the most recently changed first. */
  openPulls(base: string, most: number): Promise<{ pulls: readonly Pull[]; isWhole: boolean }>;
  stateOf(number: number): Promise<PullState>;
  comments(number: number): Promise<readonly Comment[]>;
  /** The user of the token; null if the forge does not say. */
  self(): Promise<string | null>;
  addComment(number: number, body: string): Promise<void>;
  changeComment(number: number, id: number, body: string): Promise<void>;
  removeComment(number: number, id: number): Promise<void>;
  /** null: this forge reads reports from files. */
  readonly uploadSarif: ((sarif: string) => Promise<void>) | null;
}
