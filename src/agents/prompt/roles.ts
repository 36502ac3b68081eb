import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nearest } from '#lib/nearest.ts';

/** The roles of agents. The prompt of each is a Markdown file in `roles/`, which a project may replace. */
export const roles = [
  { name: 'architect', what: 'cuts a spec into tasks and writes the contract between them' },
  { name: 'verifier', what: 'compares a plan with its spec, knowing nothing else' },
  { name: 'fixer', what: 'corrects a plan where the verifier found it wrong' },
  { name: 'guardian', what: 'holds a spec or a plan against the vision of the product' },
  { name: 'triager', what: 'judges a defect report: what it is, where it comes from, how large it is' },
  { name: 'reproducer', what: 'writes the test that fails because of a defect' },
  { name: 'repairer', what: 'fixes a defect that a failing test shows' },
  { name: 'reviewer', what: 'reads one change and says what is wrong with it' },
  { name: 'assessor', what: 'sorts what reviewers found: accepted, deferred or rejected' },
  {
    name: 'architecture-auditor',
    what: 'looks at the whole of a change whose architecture reviewers object to',
  },
  {
    name: 'production-auditor',
    what: 'asks whether a change that reviewers object to can run in production',
  },
  { name: 'plan-challenger', what: 'attacks a plan, knowing nothing but the plan' },
  { name: 'spec-challenger', what: 'attacks a spec, knowing nothing but the spec' },
  { name: 'code-evaluator', what: 'judges whether cited lines of code do what a record says' },
  { name: 'prover', what: 'writes the test that fails because of an accepted finding' },
  {
    name: 'coherence-reviewer',
    what: 'reads several branches together and says where they do not fit in behaviour or intent',
  },
  { name: 'developer', what: 'does one task of a plan' },
  { name: 'integrator', what: 'resolves text conflicts on the integration branch' },
] as const;

export type Role = (typeof roles)[number]['name'];

/** The prompt of a role and where it comes from. */
export interface RoleText {
  readonly name: Role;
  readonly text: string;
  readonly origin: 'joinery' | 'project';
  /** Path of the project's file, from the top of the repository. */
  readonly path: string | null;
  readonly sha256: string;
}

const folder = '.joinery/roles';

/** Where a project may put its own prompt of a role. */
function roleFile(name: string): string {
  return `${folder}/${name}.md`;
}

/** The role prompts of a project, from a commit: an agent must not write its own instructions. */
export async function readRoles(
  read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<RoleText[]> {
  const files = await read(roles.map(({ name }) => roleFile(name)));
  return roles.map(({ name }) => roleText(name, files.get(roleFile(name))));
}

/** An empty file replaces nothing. */
export function roleText(name: Role, own?: string): RoleText {
  const isOwn = own !== undefined && own.trim() !== '';
  const text = `${(isOwn ? own : ownText(name)).trim()}\n`;
  return {
    name,
    text,
    origin: isOwn ? 'project' : 'joinery',
    path: isOwn ? roleFile(name) : null,
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

function ownText(name: Role): string {
  return readFileSync(new URL(`./roles/${name}.md`, import.meta.url), 'utf8');
}

/** Files in the project's role folder that replace nothing, each with the role it probably meant. */
export function strayRoleFiles(paths: readonly string[]): string[] {
  const names = roles.map(({ name }) => name);
  return paths
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1))
    .filter((file) => !names.some((name) => file === `${name}.md`))
    .map((file) => {
      const meant = nearest(file.replace(/\.md$/, ''), names);
      return `${folder}/${file} replaces no role${meant === null ? '' : `; did you mean ${meant}.md?`}`;
    });
}
