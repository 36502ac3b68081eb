import { posix } from 'node:path';
import { isCode } from '#code/languages/index.ts';
import { isOfTool } from './config-keys.ts';

/**
 * What an occurrence says about the owner of a name. `defined`: the project defines it here, `fun orderTotal`. `own`: it can
 * only be a name of the project, `- mail-outgoing` in its settings. `local`: the text brings it along, a parameter. `text`: a
 * string. `used`: anything else, perhaps a name from outside, `Integer.MAX_VALUE`, `apt-get`.
 */
export type NameKind = 'defined' | 'own' | 'local' | 'text' | 'used';

/**
 * A name in its line, with what is before and after it. Runs of blanks are one blank, so that each pattern below reads a line once.
 */
interface Occurrence {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly isQuoted: boolean;
  /** The key that the line is below, in files of tools: `services`. */
  readonly parent: string;
}

type KindOf = (occurrence: Occurrence) => NameKind;

export interface Family {
  readonly files: (path: string) => boolean;
  readonly kindOf: KindOf;
  /** A key means something else below another key. */
  readonly hasParents?: true;
}

const isConstant = (name: string) => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name);
/** Nothing but a dash and a quote before it, also after a bracket: `{ "maxItems`. */
const isFirst = (before: string) => /(?:^|[{,]) ?(?:- ?)?["']?$/.test(before);
const isKey = ({ before, after }: Occurrence) =>
  isFirst(before) && /^["']? ?(?::(?!:|\/)|=(?!=))/.test(after);
/** The whole value of a key, or an item of a list. */
const isValue = ({ before, after }: Occurrence) =>
  /(?:^|[:=[,{-]) ?["']?$/.test(before) && /^["']? ?(?:[,\]}#]|$)/.test(after) && !aboutPeople.test(before);
/** `author = "jane-doe"`: people and licences have names outside the project. */
const aboutPeople =
  /\b(?:authors?|maintainers?|contributors?|owners?|reviewers?|assignees?|licen[sc]e|copyright)["']? ?[:=] ?\[? ?["']?$/i;

/** Maps of tools whose keys a project chooses. */
const ownMaps =
  /^(?:services|volumes|networks|configs|secrets|jobs|outputs|inputs|data|stringData|env|environment|args|scripts|targets|tasks|flags)$/;

const toolKind: KindOf = (occurrence) => {
  const { name, before, parent } = occurrence;
  if (isKey(occurrence)) return ownMaps.test(parent) || isConstant(name) ? 'defined' : 'used';
  if (isConstant(name) && /^ ?- ?(?:name: ?)?["']?$/.test(before)) return 'defined';
  if (parent === 'metadata' && /\bname["']?: ?["']?$/.test(before)) return 'defined';
  return /^ ?(?:- )?id: ?["']?$/.test(before) ? 'defined' : 'used';
};

/** Words that declare what follows them, for others. */
const declares =
  /(?:^|[ (])(?:def|defp|defmacro|defmodule|fun|func|fn|function|class|type|typealias|interface|protocol|trait|enum|case|struct|record|object|module|sub|proc|macro|export|#define) (?:\w{1,60}\.)?["$@%]?$/;
const binds = /(?:^|[ (])(?:const|let|var|val|local|my|our|final|readonly|declare|set) ["$@%]?$/;
const loops = /\b(?:for|foreach|read|read -\w) ?\(? ?(?:(?:const|let|var|val|auto|final|int|local) )?\$?$/;
const definesFunction = /\b(?:def|defp|fun|func|fn|function|init|constructor|sub)\b/;
const afterComma = /[(,] ?(?:\w{1,60} )?$/;

const programKind: KindOf = (occurrence) => {
  const { name, before, after } = occurrence;
  if (declares.test(before)) return 'defined';
  // fun add(lineItem: String, func add(to lineItem: String
  const isParameter = afterComma.test(before) && !before.includes(')') && definesFunction.test(before);
  const isOfLambda = /(?:\{|\bfn) ?$/.test(before) && /^ ?(?:->|in\b)/.test(after);
  if (isParameter || isOfLambda || loops.test(before)) return 'local';
  // A field has a type and no value: let fullName: String
  if (binds.test(before)) return /^ ?:[^=]*$/.test(after) || !before.startsWith(' ') ? 'defined' : 'local';
  const isFirstOfLine = /^ ?["']?$/.test(before);
  // x <- 1, x = 1, log_error() {
  if (isFirstOfLine && /^["']? ?(?::=|<-|=(?![=>])|\( ?\) ?\{)/.test(after))
    return before === '' ? 'defined' : 'local';
  if (isFirstOfLine && /^ ?: /.test(after)) return 'defined';
  if (occurrence.isQuoted) return textKind(occurrence);
  return isConstant(name) ? readKind(occurrence) : 'used';
};

const notTypes =
  /\b(?:return|else|new|throw|case|goto|await|yield|in|is|as|not|and|or|delete|sizeof|import|extends|implements|co_return) $/;

/** `static int read_line(char *s) {`, `String formatPrice(int cents)`, `int line_count = 0;` */
const typedKind: KindOf = (occurrence) => {
  const { before, after, isQuoted } = occurrence;
  const isTyped =
    /[\w>\]] ?[*&]{0,3} ?$/.test(before) && / [*&]{0,3}$|[*&]$/.test(before) && !notTypes.test(before);
  if (isQuoted || !isTyped || !/^ ?(?:[=;,)[(]|$)/.test(after)) return programKind(occurrence);
  return /^ |[({]/.test(before) ? 'local' : 'defined';
};

/** Variables that systems set. */
const ofSystem =
  /^(?:NODE_ENV$|GITHUB_|GITLAB_|CI_|RUNNER_|AWS_|GOOGLE_|GCLOUD_|AZURE_|KUBERNETES_|XDG_|LC_|SSH_|DOCKER_)/;

/** `process.env.API_TOKEN`, `$API_TOKEN`, `environ["API_TOKEN"]`. */
function readKind({ name, before }: Occurrence): NameKind {
  const reads =
    /\$\{?$|\benv\??\.$|(?:env|environ|environ\.get|ENV|ENV\.fetch|var|var_os|Variable)[([!]{1,2}["'`]$/i;
  return reads.test(before) && !ofSystem.test(name) ? 'own' : 'used';
}

/** A string that names a thing of the project: a constant, the name of a task, what is sent. */
const named =
  /\b(?:name|task|topic|queue|event|channel|routing_key|permission|scope|flag|key)["']? ?[=:] ?["'`]$|\b(?:emit|publish|dispatch|trigger|broadcast|send_task|produce)\w{0,20}\(["'`]$|^ [A-Z][A-Z0-9_]{0,60} ?= ?["']$/;

function textKind(occurrence: Occurrence): NameKind {
  const { before, after, name } = occurrence;
  if (isConstant(name)) return readKind(occurrence);
  if (named.test(before)) return 'own';
  const isAlone = /^ ?["'`]$/.test(before) && /^["'`],? ?$/.test(after);
  const opened = Math.max(before.lastIndexOf('['), before.lastIndexOf('{'), before.lastIndexOf('|'));
  const isItem =
    opened > before.lastIndexOf('(') && /^["'`] ?[,|\]}]/.test(after) && !/: ?["'`]$/.test(before);
  return isAlone || isItem ? 'own' : 'text';
}

const codeKind: KindOf = (occurrence) => {
  const { name, before, after } = occurrence;
  if (occurrence.isQuoted) return textKind(occurrence);
  if (!isConstant(name)) return 'used';
  const isAssigned = /^ ?(?::[^=]{0,80})?=(?![=>])/.test(after) && /(?:^|[ ;])$/.test(before);
  return isAssigned ? 'defined' : readKind(occurrence);
};

const styleKind: KindOf = ({ before, after }) => {
  const isVariable = /(?:^|[ ,{};])--$|^ ?[$@]$/.test(before) && /^ ?:/.test(after);
  const isSelector = /(?:^|[ ,>+~{}])[.#%]$/.test(before);
  return isVariable || isSelector || /@(?:mixin|function|keyframes|layer|property) -{0,2}$/.test(before)
    ? 'defined'
    : 'used';
};

const schemaKind: KindOf = ({ before, after }) => {
  if (/\b(?:AS|WITH) ["`]?$/i.test(before)) return 'local';
  const isCreated =
    /\b(?:TABLE|VIEW|INDEX|FUNCTION|COLUMN|TYPE|SEQUENCE|TRIGGER|EXISTS) ["`]?$/i.test(before) ||
    declares.test(before);
  // full_name text NOT NULL,  fullName: String,  fullName String?,  string full_name = 3;
  const isField = /^[ (]{0,2}["`]?$/.test(before) && /^["`]? ?(?:[:(]|[A-Za-z])/.test(after);
  return isCreated || isField || /^ ?= ?\d/.test(after) ? 'defined' : 'used';
};

const inLine =
  (form: RegExp): KindOf =>
  ({ before, after }) =>
    form.test(`${before}\0${after}`) ? 'defined' : 'used';
const endsLike = (form: RegExp) => (path: string) => form.test(path);

/** The first family that a file belongs to counts. */
const families: readonly Family[] = [
  { files: isCode, kindOf: codeKind },
  { files: endsLike(/\.(?:css|scss|sass|less|styl|pcss)$/), kindOf: styleKind },
  { files: endsLike(/\.(?:sql|graphqls?|gql|prisma|proto)$/i), kindOf: schemaKind },
  {
    files: endsLike(/(?:^|\/)(?:GNUmakefile|[Mm]akefile|[Jj]ustfile)$|\.mk$/),
    kindOf: inLine(/^(?:[\w.%/ -]{0,200} )?\0[^:=\n]{0,200}:(?!=)|^(?:export )?\0 ?[:?+]?=/),
  },
  {
    files: (path) => posix.basename(path).includes('Dockerfile'),
    kindOf: inLine(/^ ?(?:ARG|ENV) \0| [Aa][Ss] \0$/),
  },
  // Values for variables that are declared elsewhere.
  { files: endsLike(/\.tfvars$/), kindOf: () => 'used' },
  {
    files: endsLike(/\.(?:tf|hcl)$/),
    kindOf: inLine(/^ ?(?:(?:variable|output|module|locals) |(?:resource|data) "[\w-]{1,80}" )"\0/),
  },
  {
    files: (path) =>
      /\.(?:json5?|ya?ml|toml)$/.test(path) &&
      !/(?:^|\/)(?:locales?|i18n|lang|translations)\//.test(path) &&
      (isOfTool(path) || /(?:^|\/)(?:k8s|kubernetes|manifests|deploy|charts|helm)\/|\.gitlab-ci/.test(path)),
    kindOf: toolKind,
    hasParents: true,
  },
  {
    files: endsLike(/\.(?:json5?|ya?ml|toml|properties|ini|cfg|conf)$|(?:^|\/)\.env|\.env$/),
    kindOf: (occurrence) => (isKey(occurrence) ? 'defined' : isValue(occurrence) ? 'own' : 'used'),
  },
  {
    files: endsLike(/\.(?:c|h|cc|cpp|cxx|hpp|hh|m|mm|dart|groovy|vala|sol|ino|cu)$/),
    kindOf: typedKind,
  },
  { files: () => true, kindOf: programKind },
];

export function familyOf(path: string): Family {
  return families.find(({ files }) => files(path)) as Family;
}

/** Files that name classes of styles, perhaps of a library. */
export function isMarkup(path: string): boolean {
  return /\.(?:[jt]sx|vue|svelte|html?|erb|ejs|hbs|twig|astro)$/.test(path);
}
