/** A location in the tree. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A field of a type, a column of a table. */
export interface Field extends Place {
  readonly name: string;
  /** Other names of it: the column behind an attribute. */
  readonly aliases: readonly string[];
  /** As written; null when there is none. */
  readonly type: string | null;
  /** Its target: a table (`users`) or a type (`User`). */
  readonly target: { readonly kind: 'table' | 'type'; readonly name: string } | null;
}

/** Something with fields. */
export interface Shape extends Place {
  readonly name: string;
  /** `model`: code that represents a table. `migration`: the table that scripts create in the database. */
  readonly kind: 'type' | 'model' | 'migration';
  /** The table of a model or migration. */
  readonly table: string | null;
  readonly fields: readonly Field[];
  readonly bases: readonly string[];
  /** Why unlisted fields may exist; null when all are known. */
  readonly openBecause: string | null;
  readonly isExported: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly type: string | null;
  readonly isRequired: boolean;
}

/** A function, or a method: `UserService.save`. */
export interface Callable extends Place {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly returns: string | null;
  readonly isExported: boolean;
}

/** One step of a migration script. */
export type MigrationStep = Place &
  (
    | { readonly does: 'create'; readonly table: string; readonly fields: readonly Field[] }
    | { readonly does: 'drop-table'; readonly table: string }
    | { readonly does: 'rename-table'; readonly table: string; readonly to: string }
    | { readonly does: 'add'; readonly table: string; readonly fields: readonly Field[] }
    | { readonly does: 'drop'; readonly table: string; readonly name: string }
    | { readonly does: 'rename'; readonly table: string; readonly name: string; readonly to: string }
  );

/** The shapes of one file. */
export interface FileShapes {
  readonly shapes: readonly Shape[];
  readonly callables: readonly Callable[];
  readonly steps: readonly MigrationStep[];
  /** Top-level names of the file: definitions of code, keys of data; null when they are not read. */
  readonly names: ReadonlyMap<string, number> | null;
  /** Why it could not be read. */
  readonly problem: string | null;
  /** What it does to tables is unknown for that reason. */
  readonly hidesTables?: true;
}

/** What the tree says about the items of a contract. */
export interface CodeModel {
  readonly shapes: readonly Shape[];
  readonly callables: readonly Callable[];
  readonly files: ReadonlyMap<string, FileShapes>;
  has(path: string): boolean;
  isFolder(path: string): boolean;
  /** Lines with a quoted text: routes and events are named by such texts. */
  quoted(text: string): readonly (Place & { readonly text: string })[];
}
