/** Where an import leads in one tree. `tried`: the paths whose existence would change the answer. */
export type Resolution =
  /** `exact` is false when an assumption was needed, such as reading `dist/` as `src/`. */
  | {
      readonly status: 'found';
      readonly path: string;
      readonly exact: boolean;
      readonly tried: readonly string[];
    }
  /** First-party by its form (relative, alias, workspace package, a Python package in the tree) but absent. */
  | {
      readonly status: 'missing';
      readonly tried: readonly string[];
      /** The module above it, which may bring it under this name without a file: `pub mod alert { … }`, `pub use model as alert`. */
      readonly above?: { readonly path: string; readonly name: string };
    }
  | { readonly status: 'external'; readonly name: string }
  /** Unknown: the deciding configuration is unreadable or dynamic. */
  | {
      readonly status: 'unknown';
      readonly reason: string;
      /** It looks like an alias (`@/x`), but nothing in the tree defines one. */
      readonly isAlias?: true;
      /** An entry of a package of the tree that its `exports` do not list; a setting of a bundler may still lead somewhere. */
      readonly isUnlisted?: true;
    };

export interface Resolver {
  resolve(specifier: string, fromPath: string): Resolution;
}
