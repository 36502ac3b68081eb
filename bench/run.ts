/** `npm run bench [-- <part>… --full --types --seed n --rules S05,S10 --dropped --record --repository dir --held --clean]`: prints ratios against a peer or a limit measured in the same run. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { accuracyCoherence, accuracyCoherencePython } from './accuracy/coherence/index.ts';
import { accuracy } from './accuracy/index.ts';
import { accuracyPython } from './accuracy/python/index.ts';
import { accuracySchemas } from './accuracy/schemas/index.ts';
import { beside } from './beside.ts';
import { contract } from './contract.ts';
import { corpora } from './corpora.ts';
import { culprits } from './culprits.ts';
import { duplicates } from './duplicates.ts';
import { engine } from './engine.ts';
import { extract } from './extract/index.ts';
import { formats } from './formats.ts';
import { gates } from './gates/index.ts';
import { ground } from './ground.ts';
import { growth } from './growth.ts';
import { handoff } from './handoff.ts';
import { incidents } from './incidents/index.ts';
import { pairs } from './pairs.ts';
import type { Part } from './part.ts';
import { review, reviewMutants } from './review/index.ts';
import { schemaGrowth } from './schema-growth.ts';
import { warm } from './warm.ts';
import { watch } from './watch.ts';
import { window } from './window.ts';
import { witnesses } from './witnesses.ts';
import { workflow } from './workflow.ts';
import { yardstick } from './yardstick.ts';

const parts: readonly Part[] = [
  extract,
  formats,
  warm,
  beside,
  watch,
  growth,
  schemaGrowth,
  duplicates,
  pairs,
  accuracy,
  accuracyPython,
  accuracyCoherence,
  accuracyCoherencePython,
  accuracySchemas,
  engine,
  gates,
  ground,
  contract,
  handoff,
  review,
  reviewMutants,
  workflow,
  window,
  yardstick,
  culprits,
  witnesses,
  incidents,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    types: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    rules: { type: 'string', default: '' },
    dropped: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    repository: { type: 'string' },
    held: { type: 'boolean', default: false },
    clean: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(`unknown part: ${unknown.join(', ')}. Parts:`);
  for (const part of parts) console.error(`  ${part.name.padEnd(16)} ${part.summary}`);
  process.exit(3);
}
const options = {
  full: values.full,
  types: values.types,
  seed: Number(values.seed),
  rules: values.rules.split(',').filter((id) => id !== ''),
  dropped: values.dropped,
  record: values.record,
  repository: values.repository ?? null,
  held: values.held,
  clean: values.clean,
};

console.log(describeRun());
const chosen = parts.filter(({ name, onlyWhenNamed }) =>
  positionals.length === 0 ? !onlyWhenNamed : positionals.includes(name),
);
for (const part of chosen) {
  const started = performance.now();
  console.log(`\n## ${part.name}: ${part.summary}\n`);
  console.log(await part.run(options));
  const wall = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`\n(${wall} s wall, load average ${describeLoad()})`);
}

function describeRun(): string {
  const git = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim();
  const versions = ['oxc-parser', 'typescript'].map((name) => `${name} ${versionOf(name)}`);
  const processors = cpus();
  return [
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${options.full ? 'full' : 'small'} samples, seed ${options.seed}`,
    `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}, load average ${describeLoad()}`,
    `node ${process.versions.node}, ${git}, ${versions.join(', ')}`,
    `corpora: ${corpora.map(({ package: name, version, before }) => `${name} ${before ? `${before} → ` : ''}${version}`).join(', ')}`,
    'CPU is user + system time of the command and of its children; every figure is a median of interleaved samples.',
  ].join('\n');
}

function describeLoad(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
}

function versionOf(name: string): string {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
