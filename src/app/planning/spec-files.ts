import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { auditSpec } from '#planning/spec/audit.ts';
import { parseSpec } from '#planning/spec/parse-spec.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import { newSpec, templateOf } from '#planning/spec/templates.ts';
import { UsageError } from '#schema/errors.ts';
import type { SpecAudit, SpecKind, SpecNewReport } from '#schema/planning.ts';

/** Writes a spec to fill in; one that is there already stays as it is. */
export function createSpec(root: string, kind: SpecKind, name: string): SpecNewReport {
  const { path, text } = newSpec(kind, name, templateOf(kind));
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
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

/** Links to files of the repository; those to the web and within the page are not looked up. */
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
