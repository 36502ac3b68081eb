/**
 * What one blob says about data that crosses layers: tables, models, schemas, routes, clients, events. Plain values, cached by blob id.
 * Empty lists are left out.
 */
export interface DataFacts {
  /** Why it could not be parsed. Nothing is concluded from such a file. */
  readonly problem?: FormatProblem;
  readonly entities?: readonly Entity[];
  /** The steps of a migration, in order. */
  readonly steps?: readonly Step[];
  readonly uses?: readonly FieldUse[];
  readonly relations?: readonly Relation[];
  readonly routes?: readonly Route[];
  readonly endpoints?: readonly Endpoint[];
  readonly mounts?: readonly Mount[];
  readonly calls?: readonly ClientCall[];
  readonly topics?: readonly TopicUse[];
  readonly versions?: readonly VersionConstant[];
  /** OpenAPI: ids of operations; each must be unique. */
  readonly operationIds?: readonly Placed[];
  /** OpenAPI: targets of references: `components/schemas/Order`, `definitions/Order`. */
  readonly components?: readonly Placed[];
  /** OpenAPI: targets of `$ref` and of security requirements: `components/schemas/Order`, `api/common.yaml#components/schemas/Money`. */
  readonly references?: readonly Placed[];
  /** GraphQL documents with operations, or with definitions of types. */
  readonly documents?: readonly GraphqlDocument[];
}

/** A field that leads to a table or a model: `{ of: 'orders', field: 'user_id', kind: 'table', to: 'users', line: 3 }`. */
export interface Relation {
  /** The table or the entity that has the field. */
  readonly of: string;
  readonly field: string;
  readonly kind: 'table' | 'entity';
  readonly to: string;
  /** Prisma: the field is no column: `posts Post[]`. */
  readonly written?: string;
  readonly line: number;
}

/** A name and its location. */
export interface Placed {
  readonly name: string;
  readonly line: number;
}

interface FormatProblem {
  readonly line: number;
  readonly message: string;
  /** A template or a dump: reports name it, but the check stays conclusive. */
  readonly isHarmless?: true;
}

/** The layer of an entity's declaration, between storage and screen. */
type Layer = 'table' | 'model' | 'graphql' | 'message' | 'schema';

/** `{ layer: 'model', name: 'User', table: 'users', fields: [{ name: 'fullName', column: 'full_name', … }] }`. */
export interface Entity {
  readonly layer: Layer;
  /** Its language or library: `SQLAlchemy`, `Prisma`, `GraphQL`. */
  readonly form: string;
  readonly name: string;
  /** Models: the table they are stored in. */
  readonly table?: string;
  readonly line: number;
  readonly fields: readonly Field[];
  /** It may have fields that are not listed. */
  readonly open?: true;
  /** Protobuf: reserved tags and names. */
  readonly reserved?: readonly string[];
}

export interface Field {
  readonly name: string;
  /** Models: the column, if it has another name. */
  readonly column?: string;
  /** As written, in lower case and one spelling: `text`, `integer`; null when it is not given. */
  readonly type: string | null;
  readonly required: boolean;
  /** Prisma: as written, where that says more: `String?`. */
  readonly written?: string;
  readonly line: number;
  /** Protobuf. */
  readonly tag?: number;
}

interface ForeignKey {
  readonly column: string;
  readonly table: string;
}

type StepKind =
  | 'create table'
  | 'drop table'
  | 'rename table'
  | 'add column'
  | 'drop column'
  | 'rename column'
  | 'alter column'
  | 'create index'
  /** A type, a view or a sequence: its name is the table of the step. */
  | 'create other'
  | 'drop other'
  | 'drop index'
  | 'use';

/** `{ op: 'rename column', table: 'users', name: 'name', to: 'full_name', line: 1 }`. */
export interface Step {
  readonly op: StepKind;
  /** Without the schema `public`. Empty for an index that is dropped by name. */
  readonly table: string;
  /** The column or the index. */
  readonly name?: string;
  readonly to?: string;
  readonly type?: string | null;
  readonly required?: boolean;
  readonly value?: string | null;
  readonly columns?: readonly Field[];
  /** Foreign keys that it makes. */
  readonly refers?: readonly ForeignKey[];
  /** `IF EXISTS`, `IF NOT EXISTS`: repeating it has no effect. */
  readonly guarded?: true;
  readonly line: number;
}

/** A field of a table or an entity that code names. */
export interface FieldUse {
  /** `table`: `of` is a table. `entity`: a model or type. `route`: a field that a client reads from the answer of `GET /users`. */
  readonly kind: 'table' | 'entity' | 'route';
  readonly of: string;
  readonly name: string;
  /** `SQL`, `SQL in a string`, `Django`, `Prisma`. */
  readonly via: string;
  /** A dedicated parser reads the whole file, and the name can mean nothing else. */
  readonly certain?: true;
  readonly line: number;
}

/** `{ method: 'GET', path: '/users/:', router: 'app' }`. */
export interface Route {
  readonly framework: string;
  readonly method: string;
  /** Parameters become `:`. */
  readonly path: string;
  /** Constraints of parameters, if given: `int`. */
  readonly constraints?: string;
  /** The object it is registered on; `mounts` says what that is mounted below. */
  readonly router: string;
  /** This file creates the router. */
  readonly isOwn?: true;
  /** The function that creates or receives the router: another function may use the same name for another router. */
  readonly within?: string;
  /** Where the router is imported from, as written: `./router.ts`, `app.base.routes`. */
  readonly from?: string;
  /** The handler ends the request: it has no `next`. */
  readonly ends?: true;
  /** Routes are matched in the order of their registration. */
  readonly ordered?: true;
  /** Keys that the body must have. */
  readonly body?: readonly string[];
  /** Names of types in the handler. */
  readonly mentions?: readonly string[];
  readonly line: number;
}

/** Flask: the name of a view, which one app or blueprint has once: `{ router: 'app', name: 'create', path: '/orders' }`. */
export interface Endpoint extends Placed {
  readonly router: string;
  readonly path: string;
}

/** `app.use('/api', users)`. */
export interface Mount {
  readonly router: string;
  readonly prefix: string;
  readonly child: string;
  /** Where the child is imported from, as written; null when this file creates it. */
  readonly from: string | null;
  readonly line: number;
}

/** `fetch('/users/1')`, `axios.post('/orders', { items })`. */
export interface ClientCall {
  readonly client: string;
  readonly method: string;
  readonly path: string;
  /** Keys of the body; null when not all are listed. */
  readonly body: readonly string[] | null;
  readonly line: number;
}

export interface TopicUse {
  readonly role: 'publishes' | 'subscribes';
  readonly topic: string;
  /** Keys that are sent or read; for a task its required parameters, in order. */
  readonly keys: readonly string[];
  /** Tasks: number of positional values. */
  readonly positional?: number;
  /** More may be sent. */
  readonly open?: true;
  readonly line: number;
}

/** `SCHEMA_VERSION = 8`. */
export interface VersionConstant {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

export interface GraphqlDocument {
  readonly kind: 'types' | 'operations';
  readonly text: string;
  readonly line: number;
}
