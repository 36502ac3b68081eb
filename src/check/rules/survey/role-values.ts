import { isTestCode } from '#tests/code/test-path.ts';
import type { ChangedText, Line } from './changed-text.ts';
import { hasNames } from './distinctive-names.ts';
import { isExample } from './example-path.ts';

/** A value that must be unique: `{ role: 'port', scope: '', value: '8080', line: 4 }`. */
export interface RoleValue {
  readonly role: 'migration number' | 'port' | 'error code' | 'command-line flag' | 'route' | 'protobuf tag';
  /** Two values clash only within one scope: a message, a folder, a parser. */
  readonly scope: string;
  readonly value: string;
  /** What uses the value. */
  readonly holder: string;
  readonly line: number;
}

export function readRoleValues(file: ChangedText): RoleValue[] | undefined {
  const { path, isGone } = file;
  if (isGone || isTestCode(path) || isExample(path) || (!hasNames(path) && !path.endsWith('.sql')))
    return undefined;
  const lines = file.added;
  const found = [
    ...migrationNumber(file),
    ...(path.endsWith('.proto') ? protobufTags(file.after, lines) : []),
    ...lines.flatMap((line) => inLine(file, line)),
  ];
  return found.length === 0 || found.length > 200 ? undefined : found;
}

/** A file, or a folder with the script in it: `migrations/0042_plan.sql`, `migrations/20_plan/migration.sql`. */
const migration =
  /^(.*(?:^|\/)(?:migrations?|migrate|versions)\/)(?:V)?(\d{3,5}(?=[_.-])[^/]*|\d{1,5}(?=[_-])[^/]*\/(?:migration|up)\.sql)$/i;

/** Alembic orders by the ids in the files; M01 compares those. */
const alembic = /^down_revision\b/m;

function migrationNumber({ path, isNew, after }: ChangedText): RoleValue[] {
  const [, folder, name = ''] = (isNew && migration.exec(path)) || [];
  if (folder === undefined || alembic.test(after)) return [];
  const [value = ''] = /^\d+/.exec(name) ?? [];
  return [{ role: 'migration number', scope: folder, value, holder: name, line: 1 }];
}

const listening: readonly RegExp[] = [
  /\blisten\(\s*(\d{4,5})\b/,
  /\brun\([^)]{0,300}\bport\s*=\s*(\d{4,5})\b/,
  /^\s*-\s*["']?(\d{2,5}):\d{2,5}["']?\s*$/,
  /^\s*(?:export\s+)?\w*PORT\s*=\s*["']?(\d{4,5})["']?\s*$/,
];
const flag =
  /\b(?:add_argument|option|addOption|requiredOption)\(\s*(?:new Option\(\s*)?["'](?:-\w, *)?(--[a-z][\w-]+)/;
const errorCode = /\b(?:code|errorCode|error_code|errno)\s*[:=]\s*["']([A-Z]{1,6}[-_]?\d{2,6})["']/;
const errorNumber =
  /\b(E[A-Z]*_[A-Z_]+|ERR(?:OR)?_[A-Z0-9_]+|[A-Z0-9_]+_ERR(?:OR)?(?:_CODE)?)\s*[:=]\s*(\d{3,6})\b/;
// C01 follows routers and plugins; a single line only shows what is registered on the app itself.
const route = /\b(app|server)\.(get|post|put|patch|delete|route)\(\s*["'](\/[^"']*)["']/;

/** `http.HandleFunc("/health"` of a package in Go, and top-level routes of Laravel and Rails. */
const otherRoutes: readonly (readonly [files: RegExp, form: RegExp])[] = [
  [/\.go$/, /\b(http|mux)\.Handle(?:Func)?\(\s*"((?:[A-Z]+ )?\/[^"]*)"/],
  [/(?:^|\/)routes\/\w+\.php$/, /^Route::(get|post|put|patch|delete)\(\s*["']([^"']+)["']/],
  [/(?:^|\/)config\/routes\.rb$/, /^ {2}(get|post|put|patch|delete) ["']([^"']+)["']/],
];

/** A function gets the app, maybe below a prefix: `export async function orders(app: FastifyInstance) {`. */
const givenApp = /\(\s*(?:app|server)\s*(?::|,|\)\s*(?::|=>|\{))/;

function inLine({ path, after }: ChangedText, { line, text }: Line): RoleValue[] {
  const found: RoleValue[] = [];
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  for (const form of listening) {
    const port = form.exec(text)?.[1];
    if (port !== undefined)
      found.push({ role: 'port', scope: '', value: port, holder: `${path}:${text.trim()}`, line });
  }
  const [, option] = flag.exec(text) ?? [];
  if (option)
    found.push({ role: 'command-line flag', scope: path, value: option, holder: text.trim(), line });
  const [, code] = errorCode.exec(text) ?? [];
  if (code)
    found.push({ role: 'error code', scope: '', value: code, holder: `${path}:${text.trim()}`, line });
  const [, name = '', number] = errorNumber.exec(text) ?? [];
  if (number && !/^[1-5]\d\d$/.test(number))
    found.push({ role: 'error code', scope: folder, value: number, holder: name, line });
  const [, , method = '', url] = route.exec(text) ?? [];
  if (url && url !== '/' && !givenApp.test(after))
    found.push({
      role: 'route',
      scope: folder.split('/')[0] ?? '',
      value: `${method.toUpperCase()} ${url.replace(/:\w+|<[^<>]*>|\{[^{}]*\}/g, ':')}`,
      holder: path,
      line,
    });
  for (const [files, form] of otherRoutes) {
    const [, verb = '', at] = (files.test(path) && form.exec(text)) || [];
    if (at)
      found.push({
        role: 'route',
        scope: folder,
        value: `${/^(?:http|mux)$/.test(verb) ? '' : `${verb.toUpperCase()} `}${at}`,
        holder: `${path}:${text.trim()}`,
        line,
      });
  }
  return found;
}

/** Tags of the messages of one file that are on new lines. */
function protobufTags(text: string, lines: readonly Line[]): RoleValue[] {
  const added = new Set(lines.map(({ line }) => line));
  const found: RoleValue[] = [];
  const open: string[] = [];
  for (const [index, row] of text.split('\n').entries()) {
    const [, kind] = /^\s*(?:message|enum|oneof)\s+(\w+)/.exec(row) ?? [];
    if (kind) open.push(kind);
    const [declared = '', value = ''] = row.split('=', 2);
    const words = declared.trim().split(/\s+/);
    const holder = words.length > 1 && /^[\w.<>, ]+$/.test(declared.trim()) ? words.at(-1) : undefined;
    const [, tag] = /^\s*(\d+)\s*[;[]/.exec(value) ?? [];
    if (holder && tag && added.has(index + 1))
      found.push({ role: 'protobuf tag', scope: open.join('.'), value: tag, holder, line: index + 1 });
    if (/^\s*\}/.test(row)) open.pop();
  }
  return found;
}
