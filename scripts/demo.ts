/** `npm run demo`: shows the product on a small repository created for it. `-- --keep` keeps the repository. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPaint, wantsColour } from '#cli/terminal/paint.ts';
import { playCrew } from './demo-crew.ts';
import { root } from './root.ts';

const paint = createPaint(wantsColour({ env: process.env, isTTY: process.stdout.isTTY, refused: false }));
const shop = mkdtempSync(join(tmpdir(), 'joinery-demo-'));
const backstage = mkdtempSync(join(tmpdir(), 'joinery-demo-'));
const started = performance.now();

const renameBranch = 'feat/rename-email';
const newsletterBranch = 'feat/newsletter';
const themeBranch = 'feat/theme';

const user = (field: string) =>
  `export interface User {\n  id: number;\n  name: string;\n  ${field}: string;\n}\n`;
const profile = (field: string) =>
  `import type { User } from './user.ts';

export function contact(user: User): string {
  return \`\${user.name} <\${user.${field}}>\`;
}
`;
const newsletter = (field: string) =>
  `import type { User } from './user.ts';

export function subscribe(user: User): { to: string; greeting: string } {
  return { to: user.${field}, greeting: \`Dear \${user.name}\` };
}
`;

try {
  play();
  await playCrew({ backstage, paint, say });
  finish();
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
} finally {
  if (process.argv.includes('--keep')) say(`The repository stays in ${shop}`);
  else for (const folder of [shop, backstage]) rmSync(folder, { recursive: true, force: true });
}

function play(): void {
  buildShop();
  say(paint('bold', 'Three branches of one small shop, each fine on its own:'), '');
  say(
    `  ${renameBranch.padEnd(19)} renames User.email to User.emailAddress`,
    `  ${newsletterBranch.padEnd(19)} reads user.email in a file that is new`,
    `  ${themeBranch.padEnd(19)} adds colours`,
    '',
  );
  git('merge-tree', '--write-tree', renameBranch, newsletterBranch);
  say('git merges them without a conflict. Do they fit?', '');
  check(1);

  say(`${newsletterBranch} follows the rename, with one commit:`, '');
  change(
    newsletterBranch,
    { 'src/newsletter.ts': newsletter('emailAddress') },
    'follow the rename of User.email',
  );
  const diff = git('diff', '--unified=0', `${newsletterBranch}~`, newsletterBranch).split('\n');
  for (const line of diff) {
    if (/^-[^-]/.test(line)) say(`  ${paint('red', line)}`);
    if (/^\+[^+]/.test(line)) say(`  ${paint('green', line)}`);
  }
  say('', 'And now?', '');
  check(0);
}

function finish(): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  say(`That was the demo, in ${seconds} s. In a repository of yours:`, '', `  ${root}bin/joinery.js check`);
}

function buildShop(): void {
  git('init', '--quiet', '--initial-branch=main');
  change('main', { 'src/user.ts': user('email'), 'src/profile.ts': profile('email') }, 'users and profiles');
  const branches: [string, Record<string, string>][] = [
    [renameBranch, { 'src/user.ts': user('emailAddress'), 'src/profile.ts': profile('emailAddress') }],
    [newsletterBranch, { 'src/newsletter.ts': newsletter('email') }],
    [themeBranch, { 'src/theme.ts': "export const accent = 'rebeccapurple';\n" }],
  ];
  for (const [name, files] of branches) {
    git('branch', name, 'main');
    change(name, files, name);
  }
  git('checkout', '--quiet', 'main');
}

/** One commit on a branch. */
function change(branch: string, files: Readonly<Record<string, string>>, message: string): void {
  git('checkout', '--quiet', ...(branch === 'main' ? ['-B', branch] : [branch]));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(shop, path)), { recursive: true });
    writeFileSync(join(shop, path), content);
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

/** Runs the real executable; the demo fails if the result is not the announced one. */
function check(expected: number): void {
  const args = ['check', 'main', renameBranch, newsletterBranch, themeBranch];
  say(paint('cyan', `$ joinery ${args.join(' ')}`));
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'joinery.js'), ...args], {
    cwd: shop,
    stdio: 'inherit',
  });
  say(paint('dim', `exit code ${status}`), '');
  if (status !== expected) throw new Error(`The demo expected exit code ${expected}.`);
}

function git(...args: string[]): string {
  const identity = [
    '-c',
    'user.name=Demo',
    '-c',
    'user.email=demo@example.com',
    '-c',
    'commit.gpgSign=false',
  ];
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: join(shop, '.git', 'no-config'),
    GIT_CONFIG_NOSYSTEM: '1',
  };
  return execFileSync('git', [...identity, ...args], { cwd: shop, env, encoding: 'utf8' });
}

function say(...lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}
