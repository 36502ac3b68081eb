/** `node run-modules.ts <module.js>…`: loads compiled modules, calls their `addedFeature`, prints what happened. */
import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const mostSteps = 200;

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL) return next(specifier, context);
    const { href } = new URL(specifier, context.parentURL);
    const url = [href, `${href}.js`, `${href}/index.js`].find(isFile);
    return url ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
  },
});

function isFile(url: string): boolean {
  return statSync(fileURLToPath(url), { throwIfNoEntry: false })?.isFile() ?? false;
}

/** A value that can be read, called and iterated, and records the names by which that was done. */
function probe(name: string, steps: string[]): unknown {
  const note = (step: string) => {
    steps.push(step);
    if (steps.length > mostSteps) throw new Error('enough');
  };
  return new Proxy(() => undefined, {
    get(_target, key) {
      if (key === Symbol.toPrimitive) return () => name;
      if (key === Symbol.iterator) return [][Symbol.iterator];
      if (key === inspect.custom) return () => name;
      if (typeof key === 'symbol' || key === 'then') return undefined;
      note(`${name}.${key}`);
      return probe(`${name}.${key}`, steps);
    },
    apply() {
      note(`${name}()`);
      return probe(`${name}()`, steps);
    },
    construct() {
      note(`new ${name}`);
      return probe(`new ${name}`, steps) as object;
    },
  });
}

async function outcomeOf(work: () => unknown): Promise<string> {
  const steps: string[] = [];
  try {
    let value = await work.call(null);
    if (typeof value === 'function') value = await value(probe('then', steps));
    return `${inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY })} ${steps.join(' ')}`;
  } catch (error) {
    return `throws ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
  }
}

async function describe(file: string): Promise<string[]> {
  let module: Record<string, unknown>;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    return [`does not load: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`];
  }
  const feature = module.addedFeature;
  if (typeof feature !== 'function') return ['loads'];
  const steps: string[] = [];
  const inputs = [probe('value', steps), undefined, null, 0, 'open', 'x', [], {}];
  const seen = ['loads'];
  for (const input of inputs) seen.push(await outcomeOf(() => feature(input)));
  return [...seen, steps.join(' ')];
}

process.on('unhandledRejection', () => {});
Object.assign(globalThis, { __DEV__: false });
for (const file of process.argv.slice(2)) console.log((await describe(file)).join('\n'));
process.exit(0);
