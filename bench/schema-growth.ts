import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Branch } from '#test/support/scenario/scenario.ts';
import { repositoryOf } from './history.ts';
import { runCheck } from './measure.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, median, megabytes, renderTable, seconds } from './table.ts';

export const schemaGrowth: Part = {
  name: 'schema-growth',
  summary: 'cost by number of branches on 500 migrations and 2,000 routes',
  run: runSchemaGrowth,
};

const migrations = 500;
const routeFiles = 100;
const routesEach = 20;
/** One of this many branches reads the column that the previous branch drops. */
const plantedEvery = 10;

async function runSchemaGrowth({ full }: BenchOptions): Promise<string> {
  const sizes = full ? [25, 50, 100] : [25, 50];
  const rounds = full ? 3 : 1;
  const rows: { branches: number; cpu: number; peak: number; found: number; planted: number }[] = [];
  for (const branches of sizes) {
    const repository = await repositoryOf(
      baseFiles(),
      Array.from({ length: branches }, (_, at) => branchAt(at)),
    );
    try {
      const costs = [];
      for (let round = 0; round < rounds; round++) {
        const cache = mkdtempSync(join(tmpdir(), 'joinery-schema-growth-'));
        try {
          costs.push(await runCheck(repository.dir, cache, repository.branches));
        } finally {
          rmSync(cache, { recursive: true, force: true });
        }
      }
      const report = JSON.parse(costs[0]?.stdout ?? '{}') as { findings?: { rule: string }[] };
      rows.push({
        branches,
        cpu: median(costs.map(({ cpuMs }) => cpuMs)),
        peak: Math.max(...costs.map(({ peakBytes }) => peakBytes)),
        found: (report.findings ?? []).filter(({ rule }) => rule === 'C08').length,
        planted: Math.floor(branches / plantedEvery),
      });
    } finally {
      rmSync(repository.dir, { recursive: true, force: true });
    }
  }
  return [
    `${migrations} migrations, ${routeFiles * routesEach} routes in ${routeFiles} files, cold cache, --confirm none; each branch adds a migration, a query, a route and a client`,
    renderTable(
      ['branches', 'CPU', 'growth', 'linear would be', 'peak memory', 'C08 found', 'verdict'],
      rows.map(({ branches, cpu, peak, found, planted }, at) => {
        const before = rows[at - 1];
        const grown = before ? cpu / before.cpu : null;
        const linear = before ? branches / before.branches : null;
        return [
          String(branches),
          seconds(cpu),
          grown === null ? '' : `${grown.toFixed(2)} ×`,
          linear === null ? '' : `${linear.toFixed(2)} ×`,
          megabytes(peak),
          `${found} of ${planted}`,
          judge(found === planted && (grown === null || linear === null || grown <= linear)),
        ];
      }),
    ),
  ].join('\n');
}

function baseFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (let n = 0; n < migrations; n++)
    files.set(
      `db/migrations/${String(n).padStart(4, '0')}_table_${n}.sql`,
      `CREATE TABLE things_${n} (\n  id integer PRIMARY KEY,\n  name text,\n  note text,\n  amount integer\n);\n`,
    );
  for (let file = 0; file < routeFiles; file++) {
    const routes = Array.from(
      { length: routesEach },
      (_, n) =>
        `router.get('/things-${file}/part-${n}/:id', (request, response) => {\n  response.send('${n}');\n});\n`,
    );
    files.set(
      `src/routes/things-${file}.ts`,
      `import { Router } from 'express';\n\nexport const router = Router();\n\n${routes.join('\n')}`,
    );
  }
  const imports = Array.from(
    { length: routeFiles },
    (_, n) => `import { router as things${n} } from './routes/things-${n}.ts';`,
  );
  const mounts = Array.from({ length: routeFiles }, (_, n) => `app.use('/api', things${n});`);
  files.set(
    'src/server.ts',
    `import express from 'express';\n${imports.join('\n')}\n\nconst app = express();\n${mounts.join('\n')}\napp.listen(3000);\n`,
  );
  return files;
}

/** Drops a column of its own table; every tenth branch reads what the previous one drops. */
function branchAt(at: number): Branch {
  const isPlanted = at % plantedEvery === plantedEvery - 1;
  const read = isPlanted ? at - 1 : at;
  const column = isPlanted ? 'note' : 'name';
  const number = String(migrations + at).padStart(4, '0');
  const changes = new Map<string, Buffer>([
    [
      `db/migrations/${number}_branch_${at}.sql`,
      Buffer.from(
        `ALTER TABLE things_${at} DROP COLUMN note;\nALTER TABLE things_${at} ADD COLUMN extra_${at} text;\n`,
      ),
    ],
    [`db/queries/read_${at}.sql`, Buffer.from(`SELECT t.${column} FROM things_${read} t;\n`)],
    [
      `src/routes/branch-${at}.ts`,
      Buffer.from(
        `import { Router } from 'express';\n\nexport const router = Router();\n\nrouter.get('/branch-${at}/:id', (request, response) => {\n  response.send('${at}');\n});\n`,
      ),
    ],
    [
      `web/branch-${at}.ts`,
      Buffer.from(`export const load${at} = (id: string) => fetch(\`/api/things-${at}/part-1/\${id}\`);\n`),
    ],
  ]);
  return { name: `branch-${at}`, changes };
}
