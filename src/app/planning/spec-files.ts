import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { auditSpec } from '#planning/spec/audit.ts';
import { parseSpec } from '#planning/spec/parse-spec.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import { newSpec, templateOf } from '#planning/spec/templates.ts';
import { UsageError } from '#schema/errors.ts';
import type { SpecAudit, SpecKind, SpecNewReport } from '#schema/planning.ts';

/** Writes a new file of the repository; false if it exists. Refuses a folder that links elsewhere. */
export function writeNew(root: string, path: string, text: string): boolean {
  const top = realpathSync(root);
  let folder = dirname(join(top, path));
  while (!existsSync(folder)) folder = dirname(folder);
  const real = realpathSync(folder);
  if (real !== top && !real.startsWith(top + sep)) {
    throw new UsageError({
      code: 'outside',
      message: `${path} would lie outside of the repository: ${folder} is a link to ${real}`,
      hint: 'make it a folder of the repository',
    });
  }
  mkdirSync(dirname(join(top, path)), { recursive: true });
  try {
    writeFileSync(join(top, path), text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Writes a spec to fill in; an existing one stays unchanged. */
export function createSpec(root: string, kind: SpecKind, name: string): SpecNewReport {
  const { path, text } = newSpec(kind, name, templateOf(kind));
  if (!writeNew(root, path, text)) {
    throw new UsageError({
      code: 'spec-exists',
      message: `${path} exists already`,
      hint: `choose another name, or look at it: joinery spec audit ${path}`,
    });
  }
  return { schema: 'joinery/spec-new@1', kind, file: path };
}

export function auditSpecFile(root: string, spec: SpecBundle, maxTasks: number): SpecAudit {
  return auditSpec({ spec, template: templateOf(spec.kind), brokenLinks: brokenLinks(root, spec), maxTasks });
}

/** Broken links to files of the repository; links to the web and within the page are not checked. */
function brokenLinks(root: string, { path, text }: SpecBundle): string[] {
  return parseSpec(text)
    .links.map(({ target }) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:|^#/i.test(target))
    .filter((target) => {
      const plain = decoded(target.replace(/[#?].*$/, ''));
      return !existsSync(plain.startsWith('/') ? join(root, plain) : join(root, dirname(path), plain));
    });
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
