/** Where an import leads in one tree. `tried` are the paths whose presence would change the answer. */
export type Resolution =
  /** `exact` is false when the way there needs an assumption, such as `dist/` standing for `src/`. */
  | {
      readonly status: 'found';
      readonly path: string;
      readonly exact: boolean;
      readonly tried: readonly string[];
    }
  /** First-party by its form (relative, alias, workspace package, a Python package that the tree has) but absent. */
  | { readonly status: 'missing'; readonly tried: readonly string[] }
  | { readonly status: 'external'; readonly name: string }
  /** Cannot be told: the configuration that decides is unreadable or dynamic. */
  | {
      readonly status: 'unknown';
      readonly reason: string;
      /** It has the form of an alias (`@/x`), and nothing in the tree defines one. */
      readonly isAlias?: true;
    };

export interface Resolver {
  resolve(specifier: string, fromPath: string): Resolution;
}
