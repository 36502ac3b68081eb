/** The story that `joinery ui --demo` plays: a shop, three branches that do not all fit, and a crew of seven tasks. */

const user = (field: string) =>
  `export interface User {\n  id: number;\n  name: string;\n  ${field}: string;\n}\n`;
const reader = (name: string, field: string) =>
  `import type { User } from './user.ts';\n\nexport function ${name}(user: User): string {\n  return \`\${user.name} <\${user.${field}}>\`;\n}\n`;

export const baseFiles: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "type": "module" }\n',
  'src/user.ts': user('email'),
  'src/profile.ts': reader('contact', 'email'),
};

/** Branches that people made before the crew came. */
export const branches: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'feat/rename-email': {
    'src/user.ts': user('emailAddress'),
    'src/profile.ts': reader('contact', 'emailAddress'),
  },
  'feat/newsletter': { 'src/newsletter.ts': reader('subscribe', 'email') },
  'feat/receipts': { 'src/receipts.ts': reader('receipt', 'email') },
  'feat/theme': { 'src/theme.ts': "export const accent = 'rebeccapurple';\n" },
};

/** A second repository of the same person, with two branches that fit. */
export const site = {
  base: { 'src/page.ts': "export const title = 'The shop';\n" },
  branches: {
    'feat/footer': { 'src/footer.ts': "export const footer = 'Open on Monday';\n" },
    'feat/news': { 'src/news.ts': "export const news = ['We open'];\n" },
  },
} as const;

/** A workflow that a person's agent follows in addition to the crew; it waits for approval. */
export const workflowFile = {
  path: '.joinery/workflows/opening.yaml',
  content: `id: opening
name: Open the shop
description: What has to be looked at before customers come.
version: 1.0.0
steps:
  - { id: look, title: Look around, prompt: 'What is finished, what is not? {{goal}}' }
  - id: decide
    title: Decide what opens
    prompt: Say what opens on Monday and what waits.
    requireConfirmation: { kind: human_approval }
  - { id: announce, title: Announce it, prompt: Write three sentences for the customers. }
`,
};

const notes = {
  look: 'Cart and prices are there. Receipts still read User.email, which feat/rename-email renames.',
  decide: 'Open with cart, prices and checkout. Refunds wait until the crew is done.',
};

export const workflowScenario = {
  schema: 'joinery/scenario@1',
  attempts: [
    { task: 'look', do: [{ say: 'looks around' }, { sleepMs: 2000 }, { handoff: { notes: notes.look } }] },
    { task: 'decide', do: [{ say: 'weighs it' }, { sleepMs: 3000 }, { handoff: { notes: notes.decide } }] },
  ],
};

/** What an agent in another terminal reports through its hooks. */
export const visit = {
  session_id: 'demo-visitor',
  hook_event_name: 'PostToolUse',
  tool_name: 'Edit',
  tool_input: { file_path: 'src/theme.ts' },
};

interface DemoTask {
  readonly id: string;
  readonly title: string;
  readonly dependsOn?: readonly string[];
  /** Duration of its work, in seconds. */
  readonly takes: number;
  /** How many attempts fail before the one that succeeds. */
  readonly failures?: number;
}

const tasks: readonly DemoTask[] = [
  { id: 'cart', title: 'Keep a cart per visitor', takes: 14 },
  { id: 'prices', title: 'Prices with tax', takes: 9 },
  { id: 'stock', title: 'Watch the stock', takes: 18, failures: 1 },
  { id: 'checkout', title: 'Check out a cart', dependsOn: ['cart', 'prices'], takes: 16 },
  { id: 'mail', title: 'Mail the order', dependsOn: ['checkout'], takes: 10 },
  { id: 'refunds', title: 'Refund an order', dependsOn: ['checkout'], takes: 12, failures: 1 },
  { id: 'stats', title: 'Figures for the owner', dependsOn: ['stock', 'checkout'], takes: 11 },
];

export const plan = {
  schema: 'joinery/plan@1',
  base: 'main',
  tasks: tasks.map(({ id, title, dependsOn = [] }) => ({ id, title, dependsOn, files: [`src/${id}.ts`] })),
};

const steps = [
  'reads src/user.ts',
  'plans the change',
  'writes the function',
  'writes a test',
  'reads it again',
];

/** Most tasks cite what they depend on; one does not, and the page shows that. */
function cited(tasks: readonly string[]): object[] {
  return tasks
    .filter((task) => task !== 'stock')
    .map((task) => ({ ref: { artifact: `handoff/${task}` }, usedFor: `builds on ${task}` }));
}

function work({ id, takes, dependsOn = [] }: DemoTask): object[] {
  const pause = { sleepMs: (takes * 1000) / steps.length };
  return [
    ...steps.flatMap((step) => [{ say: step }, pause, { usage: { in: 2400, out: 700, usd: 0.021 } }]),
    {
      write: {
        path: `src/${id}.ts`,
        content: `export function ${id}(name: string): string {\n  return '${id} of ' + name;\n}\n`,
      },
    },
    {
      write: {
        path: `src/${id}.test.ts`,
        content: `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${id} } from './${id}.ts';\n\ntest('names the customer', () => {\n  assert.match(${id}('Ada'), /Ada/);\n});\n`,
      },
    },
    { handoff: { consumed: cited(dependsOn) } },
  ];
}

export const scenario = {
  schema: 'joinery/scenario@1',
  attempts: tasks.flatMap((task) => [
    ...Array.from({ length: task.failures ?? 0 }, (_, n) => ({
      task: task.id,
      n: n + 1,
      do: [{ say: `does not find the way (try ${n + 1})` }, { sleepMs: 5000 }, { exit: 'crashed' }],
    })),
    { task: task.id, do: work(task) },
  ]),
};
