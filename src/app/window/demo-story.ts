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

interface DemoTask {
  readonly id: string;
  readonly title: string;
  readonly dependsOn?: readonly string[];
  /** How long it works, in seconds. */
  readonly takes: number;
  /** Attempts that end without work, before the one that succeeds. */
  readonly failures?: number;
}

const tasks: readonly DemoTask[] = [
  { id: 'cart', title: 'Keep a cart per visitor', takes: 14 },
  { id: 'prices', title: 'Prices with tax', takes: 9 },
  { id: 'stock', title: 'Watch the stock', takes: 18, failures: 1 },
  { id: 'checkout', title: 'Check out a cart', dependsOn: ['cart', 'prices'], takes: 16 },
  { id: 'mail', title: 'Mail the order', dependsOn: ['checkout'], takes: 10 },
  { id: 'refunds', title: 'Refund an order', dependsOn: ['checkout'], takes: 12, failures: 2 },
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

function work({ id, takes }: DemoTask): object[] {
  const pause = { sleepMs: (takes * 1000) / steps.length };
  return [
    ...steps.flatMap((step) => [
      { say: `${id}: ${step}` },
      pause,
      { usage: { in: 2400, out: 700, usd: 0.021 } },
    ]),
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
    { handoff: {} },
  ];
}

export const scenario = {
  schema: 'joinery/scenario@1',
  attempts: tasks.flatMap((task) => [
    ...Array.from({ length: task.failures ?? 0 }, (_, n) => ({
      task: task.id,
      n: n + 1,
      do: [
        { say: `${task.id}: does not find the way (try ${n + 1})` },
        { sleepMs: 5000 },
        { exit: 'crashed' },
      ],
    })),
    { task: task.id, do: work(task) },
  ]),
};
