import { isTestCode } from '#tests/code/test-path.ts';
import type { ChangedText } from './changed-text.ts';

interface Variable {
  readonly name: string;
  readonly line: number;
}

/** Environment variables that a file reads for the first time, and those that it no longer declares. */
export interface EnvironmentNews {
  readonly reads: readonly Variable[];
  readonly undeclared: readonly Variable[];
}

const reading =
  /(?:process\.env|import\.meta\.env|Deno\.env\.get\(["']|Bun\.env)\.?\[?["']?([A-Z][A-Z0-9_]{3,})|os\.environ(?:\.get\(|\[)\s*["']([A-Z][A-Z0-9_]{3,})|os\.getenv\(\s*["']([A-Z][A-Z0-9_]{3,})|ENV(?:\.fetch\(|\[)["']([A-Z][A-Z0-9_]{3,})/g;
const declaring = /^\s*(?:-\s*)?(?:export\s+|ENV\s+)?([A-Z][A-Z0-9_]{3,})\s*[:=]/;

/** `.env.example`, compose files, Dockerfiles, workflows, Helm values. */
export function declaresVariables(path: string): boolean {
  return /(^|\/)(\.env[\w.-]*|[\w.-]*\.env|(docker-)?compose[\w.-]*\.ya?ml|(?=[\w.-]*Dockerfile)[\w.-]*|values[\w.-]*\.ya?ml|app\.json|render\.yaml|fly\.toml)$|(^|\/)\.github\/workflows\//.test(
    path,
  );
}

export function readEnvironment({ path, before, after, added }: ChangedText): EnvironmentNews | undefined {
  const old = new Set([...before.matchAll(reading)].flatMap((match) => match.slice(1).filter(Boolean)));
  const reads = isTestCode(path)
    ? []
    : added.flatMap(({ line, text }) =>
        [...text.matchAll(reading)].flatMap((match) => {
          const name = match.slice(1).find(Boolean);
          return name === undefined || old.has(name) ? [] : [{ name, line }];
        }),
      );
  const left = new Set(declaredIn(after).map(({ name }) => name));
  const undeclared = declaresVariables(path) ? declaredIn(before).filter(({ name }) => !left.has(name)) : [];
  return reads.length + undeclared.length === 0 ? undefined : { reads, undeclared };
}

export function declaredIn(text: string): Variable[] {
  return text.split('\n').flatMap((row, index) => {
    const [, name] = declaring.exec(row) ?? [];
    return name ? [{ name, line: index + 1 }] : [];
  });
}
