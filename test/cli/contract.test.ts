import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Contract } from '#schema/contract.ts';
import {
  type ContractDiffReport,
  type ContractDraftReport,
  ContractReport,
  type ContractStubsReport,
} from '#schema/contract-report.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';

const shopContract = {
  schema: 'joinery/contract@1',
  coreQuestion: 'What has a user ordered?',
  entities: [
    { name: 'User', type: 'database', table: 'users', createdByTask: '1', keyFields: ['id', 'email'] },
    { name: 'Order', type: 'database', table: 'orders', createdByTask: '2', keyFields: ['id', 'total'] },
    {
      name: 'placeOrder',
      type: 'function',
      path: 'shop/orders.py',
      function: 'place_order(user: User, total: int): Order',
      createdByTask: '2',
    },
    { name: 'Receipts', type: 'file', path: 'shop/receipts/<order>.txt', createdByTask: null },
  ],
  relationships: [
    { from: 'Order', to: 'User', type: 'belongs_to', via: 'orders.user_id', createdByTask: '2' },
  ],
  coreQueries: [
    { description: 'orders of a user', traversal: 'User → orders → total', answers: 'what was spent' },
  ],
};

const userModel = `from sqlalchemy import Column, Integer, String

class User(Base):
    __tablename__ = "users"
    id = Column(Integer, primary_key=True)
    email = Column(String)
`;
const orderModel = (key: string) => `class Order(Base):
    __tablename__ = "orders"
    id = Column(Integer, primary_key=True)
    total = Column(Integer)
    user_id = Column(Integer, ForeignKey("${key}"))
`;
const place = (signature: string) => `def place_order(${signature}) -> Order:
    return Order()
`;

function project(base: Files, branches: Readonly<Record<string, Files>>, contract: unknown = shopContract) {
  const repository = new GitRepository();
  repository.commit({ 'README.md': 'shop\n', ...base });
  for (const [name, files] of Object.entries(branches)) repository.branch(name, files);
  const folder = temporaryFolder();
  const file = join(folder, 'contract.json');
  writeFileSync(file, typeof contract === 'string' ? contract : JSON.stringify(contract));
  const env = { JOINERY_CACHE_DIR: join(folder, 'cache'), JOINERY_STATE_DIR: join(folder, 'state') };
  const call = (...args: string[]) => joinery(['contract', ...args], { cwd: repository.dir, env });
  const check = async (...names: string[]) => {
    const { code, stdout } = await call('check', file, ...names, '--json');
    const report = ContractReport.parse(JSON.parse(stdout));
    return { code, report, items: Object.fromEntries(report.items.map((item) => [item.name, item])) };
  };
  return { repository, file, folder, call, check };
}

const kept = { 'shop/receipts/sample.txt': 'x\n' };

test('branches that keep it together: every item satisfied, with file, line and branch', async () => {
  const { check, call, file } = project(kept, {
    user: { 'shop/user.py': userModel },
    order: {
      'shop/order.py': orderModel('users.id'),
      'shop/orders.py': place('user: User, total: int'),
    },
  });
  const { code, report, items } = await check('user', 'order');
  expect(report.items.filter(({ status }) => status !== 'satisfied')).toEqual([]);
  expect({ code, status: report.status }).toEqual({ code: 0, status: 'pass' });
  expect(items.User?.evidence[0]).toEqual({ file: 'shop/user.py', line: 3, branch: 'user', what: 'User' });
  expect(items['Order belongs_to User']?.evidence).toEqual([
    { file: 'shop/order.py', line: 5, branch: 'order', what: 'Order.user_id' },
  ]);
  expect(items['What has a user ordered?']?.status).toBe('satisfied');
  const { stdout } = await call('check', file, 'user', 'order');
  expect(stdout).toContain('The contract is kept');
  expect(stdout).toContain(`${report.items.length} satisfied, not listed: --verbose lists them`);
  expect(stdout).not.toContain('shop/user.py');
  const verbose = await call('check', file, 'user', 'order', '--verbose');
  for (const { name } of report.items) expect(verbose.stdout).toContain(`${name}: satisfied`);
  expect(verbose.stdout).toContain('shop/user.py:3 (user) User');
  expect(verbose.stdout).not.toContain('not listed');
});

test('one branch alone: what it does not add is missing, and the query says where it ends', async () => {
  const { check } = project(kept, { user: { 'shop/user.py': userModel } });
  const { code, items } = await check('user');
  expect(code).toBe(1);
  expect(items.User?.status).toBe('satisfied');
  expect(items.Order?.status).toBe('missing');
  expect(items['Order belongs_to User']?.status).toBe('missing');
  expect(items['orders of a user']?.status).toBe('missing');
});

test('contradictions: another key, another spelling, another signature', async () => {
  const { check } = project(kept, {
    user: { 'shop/user.py': userModel.replace('email =', 'eMail =') },
    order: {
      'shop/order.py': orderModel('teams.id'),
      'shop/orders.py': place('total: int, user: User'),
    },
  });
  const { code, items } = await check('user', 'order');
  expect(code).toBe(1);
  expect(items.User).toMatchObject({ status: 'satisfied' });
  expect(items['Order belongs_to User']).toMatchObject({ status: 'contradicted' });
  expect(items['Order belongs_to User']?.detail).toContain('leads to teams');
  expect(items.placeOrder).toMatchObject({ status: 'contradicted' });
});

test('the branch that removes what base had is named, and no other', async () => {
  const whole = {
    ...kept,
    'shop/user.py': userModel,
    'shop/order.py': orderModel('users.id'),
    'shop/orders.py': place('user: User, total: int'),
  };
  const { check, call, file } = project(whole, {
    docs: { 'shop/user.py': `# who orders\n${userModel}`, 'NOTES.md': 'n\n' },
    slim: { 'shop/user.py': userModel.replace('    email = Column(String)\n', '') },
    turned: { 'shop/orders.py': place('total: int, user: User') },
  });
  const { code, items } = await check('docs', 'slim', 'turned');
  expect(code).toBe(1);
  expect(items.User).toMatchObject({ status: 'partial', brokenBy: ['slim'] });
  expect(items.placeOrder).toMatchObject({ status: 'contradicted', brokenBy: ['turned'] });
  expect(items.Order).toMatchObject({ status: 'satisfied', brokenBy: [] });
  const { stdout } = await call('check', file, 'docs', 'slim');
  expect(stdout).toContain('    User has no email\n    broken by slim\n');
});

test('what no branch has added yet is broken by none', async () => {
  const { check } = project(kept, { user: { 'shop/user.py': userModel } });
  const { items } = await check('user');
  expect(items.Order).toMatchObject({ status: 'missing', brokenBy: [] });
});

test('a model and a migration that disagree about a column contradict the contract', async () => {
  const sql = 'CREATE TABLE users (\n  id serial PRIMARY KEY\n);\n-- email varchar\n';
  const { check } = project(kept, {
    user: { 'shop/user.py': userModel },
    migration: { 'migrations/001_users.sql': sql },
  });
  const { items } = await check('user', 'migration');
  expect(items.User?.status).toBe('contradicted');
  expect(items.User?.detail).toContain('migrations/001_users.sql');
});

test('what a branch says in a text breaks no contract, what it drops does, as check sees it', async () => {
  const base = {
    ...kept,
    'db/001.sql': 'create table users (id int, email text);\ncreate table log (a text);\n',
  };
  const contract = {
    ...shopContract,
    entities: shopContract.entities.slice(0, 1),
    relationships: [],
    coreQueries: [],
  };
  const { check } = project(
    base,
    {
      says: { 'db/002.sql': "insert into log values ('drop table users');\n" },
      drops: {
        'db/003.sql': "alter table users add column note text default 'a -- b', drop column email;\n",
      },
      breaks: { 'db/004.sql': 'alter tabel users;\n' },
    },
    contract,
  );
  expect(await check('says')).toMatchObject({ code: 0, items: { User: { status: 'satisfied' } } });
  expect(await check('drops')).toMatchObject({
    code: 1,
    items: { User: { status: 'partial', brokenBy: ['drops'] } },
  });
  expect(await check('breaks')).toMatchObject({ code: 2, items: { User: { status: 'undecided' } } });
});

test('types, Prisma models, Drizzle tables and later migrations are read', async () => {
  const contract = {
    schema: 'joinery/contract@1',
    coreQuestion: 'Who is in which team?',
    entities: [
      { name: 'Team', type: 'database', table: 'teams', createdByTask: null, keyFields: ['id', 'label'] },
      { name: 'Player', type: 'database', table: 'players', createdByTask: null, keyFields: ['team_id'] },
      { name: 'Badge', type: 'database', table: 'badges', createdByTask: null, keyFields: ['player_id'] },
      {
        name: 'TeamView',
        type: 'type',
        path: 'src/view.ts',
        createdByTask: null,
        keyFields: ['id: string', 'members'],
      },
      { name: 'Stats', type: 'type', path: 'src/stats.swift', createdByTask: null, keyFields: ['wins'] },
    ],
    relationships: [
      { from: 'Player', to: 'Team', type: 'belongs_to', via: 'team_id', createdByTask: null },
      { from: 'Team', to: 'Player', type: 'many_to_many', via: 'team_players', createdByTask: null },
    ],
  };
  const { check } = project(
    {
      'schema.prisma':
        'model Player {\n  id Int @id\n  teamId Int @map("team_id")\n  team Team @relation(fields: [teamId], references: [id])\n  @@map("players")\n}\n',
      'src/badges.ts':
        "export const badges = pgTable('badges', {\n  id: serial('id'),\n  playerId: integer('player_id').references(() => players.id),\n});\n",
      'db/001.sql': 'create table teams (id int, title text);\n',
      'db/002.sql':
        'alter table teams rename column title to label;\ncreate table team_players (team_id int references teams(id), player_id int references players(id));\n',
      'src/view.ts':
        'interface Base { id: string }\nexport interface TeamView extends Base { members: string[] }\n',
      'src/stats.swift': 'struct Stats { var wins: Int }\n',
    },
    {},
    contract,
  );
  const { code, items } = await check('main');
  const statuses = Object.fromEntries(Object.values(items).map(({ name, status }) => [name, status]));
  expect(statuses).toEqual({
    Team: 'satisfied',
    Player: 'satisfied',
    Badge: 'satisfied',
    TeamView: 'satisfied',
    Stats: 'undecided',
    'Player belongs_to Team': 'satisfied',
    'Team many_to_many Player': 'satisfied',
  });
  expect(code).toBe(2);
});

test('an empty contract fails, an unreadable one is a usage error, a branch that does not merge is inconclusive', async () => {
  const empty = project(kept, {}, { ...shopContract, entities: [], relationships: [], coreQueries: [] });
  expect((await empty.check('main')).code).toBe(1);
  const nothing = project(kept, { a: { 'README.md': 'a\n' }, b: { 'README.md': 'b\n' } }, {});
  expect((await nothing.check('a', 'b')).code).toBe(1);
  const unreadable = project(kept, {}, '{ not json');
  const refused = await unreadable.call('check', unreadable.file, 'main', '--json');
  expect(refused.code).toBe(3);
  expect(JSON.parse(refused.stdout)).toMatchObject({ status: 'error', error: { code: 'bad-contract' } });
  const clash = project(kept, { a: { 'README.md': 'a\n' }, b: { 'README.md': 'b\n' } });
  const { code, report } = await clash.check('a', 'b');
  expect({ code, excluded: report.union.excluded }).toEqual({
    code: 2,
    excluded: [{ ref: 'b', paths: ['README.md'] }],
  });
});

test('draft makes a contract from a commit, which then keeps it; diff shows what a branch changes', async () => {
  const { call, check, file, repository } = project(
    {
      'src/user.ts':
        'export interface User { id: string; email: string }\nexport function find(id: string): User | null { return null; }\n',
    },
    { change: { 'src/user.ts': 'export interface User { id: string }\n' } },
  );
  const drafted = JSON.parse(
    (await call('draft', 'main', '--out', file, '--json')).stdout,
  ) as ContractDraftReport;
  expect(drafted.contract.entities.map(({ name, type }) => [name, type])).toEqual([
    ['User', 'type'],
    ['find', 'function'],
  ]);
  expect((await check('main')).code).toBe(0);
  expect((await check('change')).code).toBe(1);
  const diff = await call('diff', 'main', 'change', '--json');
  expect(diff.code).toBe(1);
  const report = JSON.parse(diff.stdout) as ContractDiffReport;
  expect(report.removed).toEqual([{ name: 'find', file: 'src/user.ts' }]);
  expect(report.changed).toEqual([{ name: 'User', file: 'src/user.ts', changes: ['field email is gone'] }]);
  expect((await call('diff', 'main', 'main')).code).toBe(0);
  expect(repository.git('status', '--porcelain')).toBe('');
});

test('a draft of models with relationships and migrations keeps them; diff sees what a model alone changes', async () => {
  const users = `${userModel}    orders = relationship("Order", back_populates="user")\n`;
  const orders = `class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    user: Mapped["User"] = relationship(back_populates="orders")
`;
  const migration = `revision = "1"
down_revision = None

def upgrade():
    op.create_table("users", sa.Column("id", sa.Integer), sa.Column("email", sa.String))
    op.create_table("orders", sa.Column("id", sa.Integer), sa.Column("user_id", sa.Integer, sa.ForeignKey("users.id")))
`;
  const { call, check, file } = project(
    { 'shop/user.py': users, 'shop/order.py': orders, 'migrations/versions/0001.py': migration },
    {
      renamed: { 'shop/user.py': users.replace('email =', 'mail =') },
      retyped: { 'shop/user.py': users.replace('Column(String)', 'Column(Integer)') },
      astray: { 'shop/order.py': orders.replace('users.id', 'accounts.id') },
    },
  );
  const drafted = JSON.parse(
    (await call('draft', 'main', '--out', file, '--json')).stdout,
  ) as ContractDraftReport;
  expect(drafted.leftOut).toEqual([]);
  expect(drafted.contract.entities.map(({ name, keyFields }) => [name, keyFields])).toEqual([
    ['Order', ['id: Mapped[int]', 'user_id: Mapped[int]']],
    ['User', ['id: Integer', 'email: String']],
  ]);
  expect((await check('main')).code).toBe(0);
  expect((await check('retyped')).items.User).toMatchObject({ status: 'contradicted' });
  expect((await check('astray')).items['Order belongs_to User']).toMatchObject({ status: 'contradicted' });
  const diff = JSON.parse((await call('diff', 'main', 'renamed', '--json')).stdout) as ContractDiffReport;
  expect(diff.changed.map(({ changes }) => changes)).toEqual([['field email is gone', 'field mail is new']]);
});

test('diff never treats unreadable files as gone or unchanged, or a missing folder as empty', async () => {
  const { call } = project(
    { 'src/user.ts': 'export interface User { id: string }\n', 'src/other.ts': 'export interface Other {\n' },
    {
      broken: { 'src/user.ts': 'export interface User { id: \n' },
      apart: { 'src/new.ts': 'export interface New { id: string }\n' },
    },
  );
  const broken = await call('diff', 'main', 'broken', '--json');
  const report = JSON.parse(broken.stdout) as ContractDiffReport;
  expect([broken.code, report.status, report.removed]).toEqual([2, 'inconclusive', []]);
  expect(report.unread.map(({ file }) => file)).toEqual(['src/user.ts']);
  // A file that is unreadable in both versions is the same file.
  expect((await call('diff', 'main', 'apart')).code).toBe(1);
  for (const args of [
    ['diff', 'main', 'apart', '--in', 'scr'],
    ['draft', 'main', '--in', 'scr'],
  ]) {
    const { code, stderr } = await call(...args);
    expect([code, stderr]).toEqual([3, expect.stringContaining('there is no folder scr')]);
  }
  expect((await call('diff', 'main', 'apart', '--in', './src/')).code).toBe(1);
  for (const out of ['src', 'src/user.ts/contract.json']) {
    const { code, stderr } = await call('draft', 'main', '--out', out);
    expect([code, stderr]).toEqual([3, expect.stringContaining(`${out} cannot be written`)]);
  }
});

test('a draft distinguishes equal names in two files, holds on its own commit, and leaves tests out', async () => {
  const order = (field: string) => `class Order:\n    ${field}: str\n    owner: "User"\n`;
  const { call, check, file } = project(
    {
      'shop/a.py': order('total'),
      'shop/b.py': order('weight'),
      'shop/user.py': 'class User:\n    name: str\n',
      'tests/test_a.py': 'class Sample:\n    x: int\n',
    },
    { slim: { 'shop/b.py': 'class Order:\n    owner: "User"\n' } },
  );
  await call('draft', 'main', '--out', file);
  const { code, report } = await check('main');
  expect(report.items.filter(({ status }) => status !== 'satisfied')).toEqual([]);
  expect({ code, names: report.items.map(({ name }) => name) }).toMatchObject({
    code: 0,
    names: expect.arrayContaining(['shop/a.py#Order', 'shop/b.py#Order', 'User']),
  });
  expect(report.items.some(({ name }) => name.includes('Sample'))).toBe(false);
  const { items } = await check('slim');
  expect(items['shop/a.py#Order']?.status).toBe('satisfied');
  expect(items['shop/b.py#Order']).toMatchObject({ status: 'partial', brokenBy: ['slim'] });
});

const typed: Partial<Contract> & object = {
  schema: 'joinery/contract@1',
  coreQuestion: 'Who is it?',
  entities: [
    {
      name: 'User',
      type: 'type',
      path: 'src/user.ts',
      createdByTask: null,
      keyFields: ['id: string', 'email'],
    },
    {
      name: 'find',
      type: 'function',
      path: 'src/user.ts',
      function: 'find(id: string)',
      createdByTask: null,
      keyFields: [],
    },
  ],
};

test('TypeScript stubs compile against code that keeps the contract and not against code that breaks it', async () => {
  const source =
    'export interface User { id: string; email: string }\nexport function find(id: string): User | null { return null; }\n';
  const { call, file, repository } = project(
    { 'src/user.ts': source, 'package.json': '{"type":"module"}' },
    {},
    typed,
  );
  const written = JSON.parse(
    (await call('stubs', file, '--lang', 'ts', '--json')).stdout,
  ) as ContractStubsReport;
  expect(written.files.map(({ path }) => path)).toEqual([
    'contract/contract.ts',
    'contract/contract.test.ts',
  ]);
  const path = join(repository.dir, 'contract/contract.test.ts');
  expect(statSync(path).mode & 0o222).toBe(0);
  const compile = () => {
    const compiler = join(import.meta.dirname, '../../node_modules/typescript-5.9/bin/tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
    ];
    const types = ['--types', 'node', '--typeRoots', join(import.meta.dirname, '../../node_modules/@types')];
    execFileSync(process.execPath, [compiler, ...options, ...types, path], {
      cwd: repository.dir,
      stdio: 'pipe',
    });
  };
  compile();
  execFileSync(process.execPath, ['--test', path], { cwd: repository.dir, stdio: 'pipe' });
  repository.write({ 'src/user.ts': source.replace('email: string', 'mail: string') });
  expect(compile).toThrow();
});

test('Python stubs: a separate test, written for unittest', async () => {
  const contract = {
    ...typed,
    entities: [
      { name: 'User', type: 'type', path: 'models/user.py', createdByTask: null, keyFields: ['id', 'name'] },
      { name: 'Log', type: 'file', path: 'log.txt', createdByTask: null },
    ],
  };
  const { call, file, repository } = project(
    { 'models/user.py': 'class User:\n    id: int\n' },
    {},
    contract,
  );
  const written = JSON.parse(
    (await call('stubs', file, '--lang', 'py', '--json')).stdout,
  ) as ContractStubsReport;
  expect(written.skipped).toEqual([{ name: 'Log', reason: 'a file has no type in Python' }]);
  const text = readFileSync(join(repository.dir, 'contract/test_contract.py'), 'utf8');
  expect(text).toContain('attrgetter("User")(import_module("models.user"))');
  expect(text).toContain('["id", "name"]');
});
