import { getSchema } from '@mrleebo/prisma-ast';
import { parse as parseGraphql } from 'graphql';
import { loadModule, parseSync as parseSql } from 'libpg-query';
import { parseSync as parseScript } from 'oxc-parser';
import protobuf from 'protobufjs';
import { parseDocument } from 'yaml';
import { readData } from '#code/formats/index.ts';
import { openDialects } from '#code/formats/sql/dialect-ast.ts';
import { splitStatements } from '#code/formats/sql/split-statements.ts';
import { loadParser } from '#code/languages/python/parser.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, median, percent, renderTable } from './table.ts';

export const formats: Part = {
  name: 'formats',
  summary: 'files of each data format per CPU second, beside the bare parser in the same run',
  run: runFormats,
};

interface Format {
  readonly name: string;
  readonly path: string;
  /** The n-th file. */
  readonly text: (n: number) => string;
  readonly bare: (text: string) => unknown;
}

const least = 0.4;
/** Rounds that load the modules and let both be compiled. */
const warmUp = 4;

async function runFormats({ full }: BenchOptions): Promise<string> {
  await loadModule();
  const python = await loadParser();
  const { mysql } = await openDialects();
  const rows: string[][] = [];
  for (const format of formatsWith(python.parse, mysql)) {
    const files = Array.from({ length: full ? 200 : 60 }, (_, n) => format.text(n));
    const [own, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < warmUp + (full ? 9 : 4); round++) {
      const ownCost = await cpuOf(async () => {
        for (const text of files) await readData(format.path, text);
      });
      const bareCost = await cpuOf(async () => {
        for (const text of files) format.bare(text);
      });
      if (round >= warmUp) {
        own.push(ownCost);
        bare.push(bareCost);
      }
    }
    const perSecond = (costs: readonly number[]) => files.length / (median(costs) / 1e6);
    const ratio = perSecond(own) / perSecond(bare);
    const found = await readData(format.path, files[0] ?? '');
    if (!found || found.problem) throw new Error(`${format.name} was not read: ${found?.problem?.message}`);
    rows.push([
      format.name,
      String(Math.round(files.reduce((sum, text) => sum + text.length, 0) / files.length)),
      perSecond(own).toFixed(0),
      perSecond(bare).toFixed(0),
      percent(ratio),
      judge(ratio >= least),
    ]);
  }
  const head = ['format', 'characters', 'files/CPU-s', 'bare parser', 'share', `≥ ${least * 100} %`];
  return renderTable(head, rows);
}

/** Microseconds of user and system time. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const ten = (row: (n: number) => string) => Array.from({ length: 10 }, (_, n) => row(n)).join('\n');

function formatsWith(python: (text: string) => unknown, mysql: (text: string) => unknown): Format[] {
  const script = (text: string) =>
    parseScript('file.ts', text, {
      lang: 'ts',
      sourceType: 'unambiguous',
      astType: 'ts',
      preserveParens: false,
    }).program;
  return [
    {
      name: 'SQL, PostgreSQL',
      path: 'db/migrations/0001_a.sql',
      text: (n) =>
        `CREATE TABLE t${n} (\n${ten((c) => `  c${c} text NOT NULL DEFAULT 'x',`)}\n  id serial PRIMARY KEY\n);\n${ten((c) => `ALTER TABLE t${n} ADD COLUMN d${c} integer;\nUPDATE t${n} SET d${c} = 1 WHERE c${c} = 'a';`)}\n`,
      bare: parseSql,
    },
    {
      name: 'SQL, MySQL',
      path: 'db/migrations/0001_a.sql',
      text: (n) =>
        `CREATE TABLE \`t${n}\` (\n${ten((c) => `  \`c${c}\` varchar(20) NOT NULL DEFAULT 'x',`)}\n  \`id\` int unsigned NOT NULL AUTO_INCREMENT,\n  PRIMARY KEY (\`id\`)\n) ENGINE=InnoDB;\n${ten((c) => `ALTER TABLE \`t${n}\` ADD COLUMN \`d${c}\` int unsigned;`)}\n`,
      bare: (text) => splitStatements(text).map((statement) => mysql(statement.text)),
    },
    {
      name: 'Prisma',
      path: 'prisma/schema.prisma',
      text: (n) =>
        ten((m) => `model M${n}x${m} {\n  id Int @id\n${ten((c) => `  f${c} String? @map("g${c}")`)}\n}\n`),
      bare: getSchema,
    },
    {
      name: 'GraphQL, types',
      path: 'schema.graphql',
      text: (n) =>
        ten((m) => `"""a type"""\ntype T${n}x${m} {\n${ten((c) => `  f${c}(a: Int): String!`)}\n}\n`),
      bare: (text) => parseGraphql(text),
    },
    {
      name: 'protobuf',
      path: 'a.proto',
      text: (n) =>
        `syntax = "proto3";\n${ten((m) => `message M${n}x${m} {\n${ten((c) => `  string f${c} = ${c + 1};`)}\n}\n`)}`,
      bare: (text) => protobuf.parse(text, { keepCase: true }),
    },
    {
      name: 'OpenAPI',
      path: 'openapi.yaml',
      text: (n) =>
        `openapi: 3.1.0\ninfo:\n  title: A\n  version: "1"\npaths:\n${ten((m) => `  /p${n}x${m}/{id}:\n    get:\n      operationId: o${m}\n      responses:\n        "200":\n          description: ok\n          content:\n            application/json:\n              schema:\n                $ref: "#/components/schemas/S${m}"`)}\ncomponents:\n  schemas:\n${ten((m) => `    S${m}:\n      type: object\n      required: [f1]\n      properties:\n${ten((c) => `        f${c}:\n          type: string`)}`)}\n`,
      bare: (text) => parseDocument(text),
    },
    {
      name: 'TypeScript: Drizzle, TypeORM, Zod, DTOs',
      path: 'src/shapes.ts',
      text: (n) =>
        ten(
          (m) =>
            `export const t${n}x${m} = pgTable('t${m}', { a: text('a').notNull(), b: integer('b') });\nexport const Z${m} = z.object({ a: z.string(), b: z.number().optional() });\nexport interface U${m} { id: string; size?: number }\n@Entity() export class E${m} { @PrimaryColumn() id: number; @Column() note: string; }`,
        ),
      bare: script,
    },
    {
      name: 'TypeScript: routes, clients, events',
      path: 'src/app.ts',
      text: (n) =>
        `const app = express();\n${ten((m) => `app.get('/p${n}/${m}/:id', (req, res) => { const { a } = req.body; res.json({ a }); });\nexport async function load${m}(id: string) { const answer = await fetch(\`/p${n}/${m}/\${id}\`); const user = await answer.json(); bus.emit('e${m}', { id, name: user.name }); return user; }`)}\n`,
      bare: script,
    },
    {
      name: 'Python: SQLAlchemy, Pydantic, dataclasses',
      path: 'app/models.py',
      text: (n) =>
        `from sqlalchemy import Column\n${ten((m) => `class M${n}x${m}(Base):\n    __tablename__ = "m${m}"\n    id = Column(Integer, primary_key=True)\n    name = Column("full_name", String(20))\n\nclass P${m}(BaseModel):\n    a: int\n    b: str | None = None\n\n@dataclass\nclass D${m}:\n    x: float\n    y: float = 0.0\n`)}\n`,
      bare: python,
    },
    {
      name: 'Python: routes, clients',
      path: 'app/api.py',
      text: (n) =>
        `import httpx\napp = FastAPI()\n${ten((m) => `@app.get("/p${n}/${m}/{id}")\ndef read_${m}(id: int):\n    return session.get(User, id)\n\ndef load_${m}(id):\n    answer = httpx.get(f"/p${n}/${m}/{id}").json()\n    return answer["name"]\n`)}\n`,
      bare: python,
    },
    {
      name: 'Alembic',
      path: 'alembic/versions/a.py',
      text: (n) =>
        `revision = "r${n}"\ndown_revision = "q"\n\ndef upgrade():\n${ten((m) => `    op.add_column("t", sa.Column("c${m}", sa.Text(), nullable=False))\n    op.drop_column("t", "d${m}")`)}\n`,
      bare: python,
    },
    {
      name: 'Django migrations',
      path: 'shop/migrations/0002_a.py',
      text: (n) =>
        `from django.db import migrations, models\n\nclass Migration(migrations.Migration):\n    dependencies = [("shop", "0001")]\n    operations = [\n${ten((m) => `        migrations.AddField("order", "f${n}x${m}", models.TextField(null=True)),\n        migrations.RemoveField("order", "g${m}"),`)}\n    ]\n`,
      bare: python,
    },
  ];
}
