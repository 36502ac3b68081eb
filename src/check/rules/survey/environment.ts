import { isTestCode } from '#tests/code/test-path.ts';
import { type ChangedText, withoutComment } from './changed-text.ts';

interface Variable {
  readonly name: string;
  readonly line: number;
}

/** Environment variables that a file starts to read, and those that it no longer declares. */
export interface EnvironmentNews {
  readonly reads: readonly Variable[];
  readonly undeclared: readonly Variable[];
}

const variable = '([A-Z][A-Z0-9_]{3,})';
/** The text before the name of a variable that is read. */
const readers = [
  // TypeScript and JavaScript
  String.raw`(?:process\.env|import\.meta\.env|Bun\.env)(?:\??\.\[?|\[)["'\x60]?`,
  String.raw`Deno\.env\.get\(\s*["'\x60]`,
  // Python: os.environ["A"], os.environ.get("A")
  String.raw`\benviron(?:\.get\(|\.pop\(|\[)\s*["']`,
  // Python, PHP, Java: os.getenv("A"), System.getenv("A")
  String.raw`\bgetenv\(\s*["']`,
  // PHP and frameworks: env('A'), but not Cypress.env('A') or command.env("A", value)
  String.raw`\$_ENV\[\s*["']`,
  String.raw`(?<![\w$.>:])env\(\s*["']`,
  // Ruby
  String.raw`\bENV(?:\.fetch\(|\[)\s*["']`,
  // Go
  String.raw`\bos\.(?:Getenv|LookupEnv)\(\s*["\x60]`,
  // Rust
  String.raw`\benv::var(?:_os)?\(\s*"`,
  String.raw`\benv!\(\s*"`,
  // C#
  String.raw`\bGetEnvironmentVariable\(\s*"`,
];
const reading = new RegExp(`(?:${readers.join('|')})${variable}`, 'g');
/** const { PORT, DATABASE_URL: url } = process.env */
const takingApart = /\{([^{}]*)\}\s*=\s*(?:process\.env|import\.meta\.env|Bun\.env)\b/g;
const taken = new RegExp(`(?<=^|,)\\s*${variable}`, 'g');

const declaring = new RegExp(
  [
    // PORT=1, PORT: 1, "PORT": "1", - PORT=1, export PORT=1
    String.raw`^\s*(?:-\s*)?(?:export\s+|ENV\s+|ARG\s+)?["']?${variable}["']?\s*[:=]`,
    // ENV PORT 1 and ARG PORT of a Dockerfile
    String.raw`^\s*(?:ENV|ARG)\s+${variable}(?:\s|$)`,
    // - PORT in a compose file, - name: PORT in a manifest of Kubernetes
    String.raw`^\s*-\s*(?:name:\s*)?["']?${variable}["']?\s*$`,
  ].join('|'),
);

/** `.env.example`, compose files, Dockerfiles, workflows, Helm values, manifests of Kubernetes. */
export function declaresVariables(path: string): boolean {
  return (
    /(^|\/)(\.env[\w.-]*|[\w.-]*\.env|(docker-)?compose[\w.-]*\.ya?ml|(?=[\w.-]*Dockerfile)[\w.-]*|values[\w.-]*\.ya?ml|app\.json|render\.yaml|fly\.toml)$/.test(
      path,
    ) ||
    /(^|\/)\.github\/workflows\//.test(path) ||
    (/(^|\/)(k8s|kubernetes|deploy|manifests|charts)\//.test(path) && /\.ya?ml$/.test(path))
  );
}

/** The variables that a text reads. */
function readIn(text: string): string[] {
  if (!/env/i.test(text)) return [];
  const apart = [...text.matchAll(takingApart)].flatMap(([, names = '']) => [...names.matchAll(taken)]);
  return [...text.matchAll(reading), ...apart].flatMap(([, name]) => name ?? []);
}

export function readEnvironment({ path, before, after, added }: ChangedText): EnvironmentNews | undefined {
  const old = new Set(readIn(before));
  const reads = isTestCode(path)
    ? []
    : added.flatMap(({ line, text }) =>
        readIn(withoutComment(text)).flatMap((name) => (old.has(name) ? [] : [{ name, line }])),
      );
  const left = new Set(declaredIn(after).map(({ name }) => name));
  const undeclared = declaresVariables(path) ? declaredIn(before).filter(({ name }) => !left.has(name)) : [];
  return reads.length + undeclared.length === 0 ? undefined : { reads, undeclared };
}

export function declaredIn(text: string): Variable[] {
  return text.split('\n').flatMap((row, index) => {
    const name = declaring.exec(row)?.slice(1).find(Boolean);
    return name ? [{ name, line: index + 1 }] : [];
  });
}
