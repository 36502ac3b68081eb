import { posix } from 'node:path';
import { isCode } from '#code/languages/index.ts';
import { parseYaml } from '#lib/yaml.ts';
import { type ChangedText, withoutComment } from './changed-text.ts';
import { hasNames } from './distinctive-names.ts';

/** Something that a tool looks up by its name, which may be any word: `{ role: 'make target', scope: '', name: 'docs' }`. */
export interface NamedThing {
  readonly role: Role;
  /** Where it is looked up: a workflow for its jobs, a folder for services of compose files. */
  readonly scope: string;
  readonly name: string;
  readonly line: number;
}

type Role = 'npm script' | 'make target' | 'CI job' | 'compose service';

/** Things that a file no longer declares, and things that it starts to use. */
export interface ThingNews {
  readonly gone: readonly NamedThing[];
  readonly uses: readonly NamedThing[];
}

export function readThings({ path, oldPath, before, after, added }: ChangedText): ThingNews | undefined {
  if (!hasNames(path) || isCode(path)) return undefined;
  const keyOf = ({ role, scope, name }: NamedThing) => JSON.stringify([role, scope, name]);
  const without = (things: readonly NamedThing[], others: readonly NamedThing[]) => {
    const known = new Set(others.map(keyOf));
    return things.filter((thing) => !known.has(keyOf(thing)));
  };
  const gone = without(declaredThings(oldPath, before), declaredThings(path, after));
  const uses = without(usedThings(path, after), usedThings(oldPath, before)).map((use) => ({
    ...use,
    line: added.find(({ text }) => wordIn(text, use.name))?.line ?? use.line,
  }));
  return gone.length + uses.length === 0 ? undefined : { gone, uses };
}

function wordIn(text: string, name: string): boolean {
  return text.split(/[^\w:./-]+/).some((word) => word === name || word === `${name}:`);
}

const makefile = /(?:^|\/)(?:GNUmakefile|[Mm]akefile)$|\.mk$/;
const compose = /(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/;
const workflow = /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$|(?:^|\/)\.gitlab-ci\.ya?ml$/;
/** Files with commands in them. */
const commands =
  /\.(?:sh|bash|zsh|ya?ml)$|(?:^|\/)(?:package\.json|(?=[\w.-]*Dockerfile)[\w.-]*|Jenkinsfile|Procfile)$|(?:^|\/)\.husky\//;

/** Whether a file of this name can declare something of this role. */
export function canDeclare(role: Role, path: string): boolean {
  if (role === 'npm script') return posix.basename(path) === 'package.json';
  return (role === 'make target' ? makefile : role === 'CI job' ? workflow : compose).test(path);
}

export function declaredThings(path: string, text: string): NamedThing[] {
  if (text === '') return [];
  if (posix.basename(path) === 'package.json')
    return Object.keys(mapOf(parsed(text).scripts)).map((name) => thing('npm script', '', name, text));
  if (makefile.test(path)) return rulesOf(text).flatMap(({ targets }) => targets);
  if (workflow.test(path))
    return Object.keys(jobsOf(path, text)).map((name) => thing('CI job', path, name, text));
  if (!compose.test(path)) return [];
  const scope = posix.dirname(path);
  return Object.keys(mapOf(parsed(text).services)).map((name) => thing('compose service', scope, name, text));
}

function usedThings(path: string, text: string): NamedThing[] {
  if (text === '') return [];
  const found = commands.test(path) || makefile.test(path) ? calledIn(text) : [];
  if (makefile.test(path)) found.push(...rulesOf(text).flatMap(({ needs }) => needs));
  else if (workflow.test(path))
    for (const job of Object.values(jobsOf(path, text)))
      found.push(
        ...namesOf(mapOf(job).needs, mapOf(job).dependencies).map((name) =>
          thing('CI job', path, name, text),
        ),
      );
  else if (compose.test(path))
    for (const service of Object.values(mapOf(parsed(text).services)))
      found.push(
        ...namesOf(mapOf(service).depends_on).map((name) =>
          thing('compose service', posix.dirname(path), name, text),
        ),
      );
  return found;
}

const script = /\b(?:npm|pnpm|yarn|bun) run ((?:-[\w-]+ )*)([\w:.-]*\w)/g;
const target = /(?:^|[\s;&|"'(])(?:make|\$\(MAKE\)) ((?:-[\w-]+ )*)([a-z][\w./-]*)/g;

/** `npm run typecheck`, `make docs`; the name of a step is a text for people. */
function calledIn(text: string): NamedThing[] {
  return text.split('\n').flatMap((row, index) => {
    if (row.length > 1000 || !/ run |make |MAKE/.test(row) || /^[\s-]*(?:name|description):/.test(row))
      return [];
    const line = withoutComment(row);
    const at = { scope: '', line: index + 1 };
    return [
      ...[...line.matchAll(script)].map(([, , name = '']) => ({ role: 'npm script' as const, name, ...at })),
      ...[...line.matchAll(target)].map(([, , name = '']) => ({ role: 'make target' as const, name, ...at })),
    ];
  });
}

function rulesOf(text: string): { targets: NamedThing[]; needs: NamedThing[] }[] {
  return text.split('\n').flatMap((row, index) => {
    const at = row.indexOf(':');
    if (at <= 0 || /^[\s#.]/.test(row) || row[at + 1] === '=' || row.slice(0, at).includes('=')) return [];
    const words = (part: string) =>
      part.split(/\s+/).flatMap((name): NamedThing[] => {
        const isName = /^[A-Za-z][\w./-]*$/.test(name);
        return isName ? [{ role: 'make target', scope: '', name, line: index + 1 }] : [];
      });
    const [needs = ''] = row.slice(at + 1).split(/[#;=]/);
    return [{ targets: words(row.slice(0, at)), needs: words(needs) }];
  });
}

/** Keys of GitLab that are no jobs. */
const notJobs =
  /^(?:stages|variables|include|default|workflow|image|services|cache|before_script|after_script|pages:)$|^\./;

function jobsOf(path: string, text: string): Record<string, unknown> {
  const document = parsed(text);
  if (!path.includes('gitlab')) return mapOf(document.jobs);
  // An included file may have any job.
  if (document.include !== undefined) return {};
  return Object.fromEntries(Object.entries(document).filter(([key]) => !notJobs.test(key)));
}

function parsed(text: string): Record<string, unknown> {
  try {
    // JSON is YAML.
    return mapOf(parseYaml(text));
  } catch {
    return {};
  }
}

function mapOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** `needs: test`, `needs: [test]`, `needs: [{ job: test }]`, `depends_on: { db: { condition: … } }`. */
function namesOf(...values: unknown[]): string[] {
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value];
    if (!Array.isArray(value)) return Object.keys(mapOf(value));
    return value.flatMap((each) =>
      typeof each === 'string' ? [each] : [mapOf(each).job ?? []].flat().map(String),
    );
  });
}

function thing(role: Role, scope: string, name: string, text: string): NamedThing {
  const line = text.split('\n').findIndex((row) => wordIn(row, name)) + 1;
  return { role, scope, name, line: Math.max(line, 1) };
}
