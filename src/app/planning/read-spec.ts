import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, parse, posix, relative, resolve, sep } from 'node:path';
import { shellWord } from '#lib/shell-word.ts';
import { parseSpec } from '#planning/spec/parse-spec.ts';
import { kindOf, type SpecBundle, type SpecFile } from '#planning/spec/spec.ts';
import { UsageError } from '#schema/errors.ts';
import type { SpecKind } from '#schema/planning.ts';

/** No model reads a larger spec. */
const largest = 1024 * 1024;

/** A spec that a person named, with the specs it links to. Files outside the repository are not read. */
export function readSpec(root: string, cwd: string, typed: string, kind: SpecKind = 'feature'): SpecBundle {
  const top = realpathSync(root);
  const file = resolve(cwd, typed);
  if (!existsSync(file) || !statSync(file).isFile()) {
    throw new UsageError({
      code: 'no-spec',
      message: `there is no file ${typed}`,
      hint: `write one: joinery spec new ${kind} ${shellWord(parse(typed).name)}`,
    });
  }
  const path = pathInside(top, file);
  if (path === null) {
    throw new UsageError({
      code: 'spec-outside',
      message: `${typed} is outside of the repository`,
      hint: `copy it below ${top}`,
    });
  }
  const text = readText(file, typed);
  return { path, kind: kindOf(path), text, sha256: sha256(text), linked: linkedSpecs(top, path, text) };
}

function linkedSpecs(top: string, path: string, text: string): SpecFile[] {
  const found = new Map<string, SpecFile>();
  const add = (file: string) => {
    const inside = existsSync(file) && statSync(file).isFile() ? pathInside(top, file) : null;
    if (inside === null || inside === path || found.has(inside) || !inside.endsWith('.md')) return;
    found.set(inside, { path: inside, kind: kindOf(inside), text: readText(file, inside) });
  };
  for (const { target } of parseSpec(text).links) {
    if (!/^[a-z][a-z+.-]*:|^[#/]/i.test(target))
      add(join(top, dirname(path), decoded(target.replace(/[#?].*$/, ''))));
  }
  // `specs/tech/x.md` belongs to `specs/product/x.md` and `specs/design/x.md`.
  const [folder, name] = [posix.dirname(path), posix.basename(path)];
  for (const sibling of ['product', 'design'])
    if (/^(tech|product|design)$/.test(posix.basename(folder)))
      add(join(top, posix.dirname(folder), sibling, name));
  return [...found.values()];
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Path from the top of the repository, with links resolved; null if it leads outside. */
function pathInside(top: string, file: string): string | null {
  const path = relative(top, realpathSync(file));
  return path === '' || path.startsWith('..') || resolve(top, path) === path
    ? null
    : path.split(sep).join('/');
}

function readText(file: string, named: string): string {
  const content = readFileSync(file);
  if (content.length > largest || content.includes(0)) {
    throw new UsageError({
      code: 'bad-spec',
      message: `${named} is ${content.includes(0) ? 'no text' : 'larger than 1 MB'}`,
      hint: 'a spec is a Markdown file',
    });
  }
  return content.toString('utf8').replace(/^\uFEFF/, '');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
