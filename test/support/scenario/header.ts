import { Document, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { confidences, severities } from '#schema/vocabulary.ts';
import { ScenarioError } from './scenario-error.ts';

/** The expectation for one finding; absent keys are not compared. */
const ExpectedFinding = z.strictObject({
  rule: z.string(),
  severity: z.enum(severities),
  confidence: z.enum(confidences),
  branches: z.array(z.string()),
  owner: z.string().optional(),
  provider: z.string().optional(),
  consumerFile: z.string().optional(),
});
export type ExpectedFinding = z.infer<typeof ExpectedFinding>;

/** The order of keys is the order in which they are written. */
const Header = z.strictObject({
  title: z.string().min(1),
  rule: z.string().regex(/^[A-Z]\d\d[a-z]?$/, 'expected the id of a rule: S01'),
  /** All branches with their own commits; `main` if base moved on after the others forked. */
  branches: z
    .array(z.string().regex(/^(?!base$)[a-z][a-z\d-]*$/, 'expected the name of a branch: a'))
    .refine((names) => new Set(names).size === names.length, 'a branch is named twice'),
  /** For rules that run only with `--risk`. */
  risk: z.literal(true).optional(),
  status: z.enum(['pass', 'fail', 'undecided']),
  findings: z.array(ExpectedFinding),
  landable: z.array(z.string()).optional(),
});
export type Header = z.infer<typeof Header>;
export type Expectation = Pick<Header, 'status' | 'findings' | 'landable'>;

/** The YAML before the first section. */
export function parseHeader(text: string): Header {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw new ScenarioError(lines.linePos(problem.pos[0]).line, firstLine(problem.message));
  const header = Header.safeParse(document.toJS());
  if (header.success) return header.data;
  const [issue] = header.error.issues;
  const path = issue?.path ?? [];
  const message = [path.join('.'), issue?.message].filter(Boolean).join(': ');
  throw new ScenarioError(lineOf(path), message);

  /** The line of the innermost existing value on the path. */
  function lineOf(keys: readonly PropertyKey[]): number {
    const node = document.getIn(keys, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return keys.length === 0 ? 1 : lineOf(keys.slice(0, -1));
  }
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message;
}

export function printHeader(header: Header): string {
  return printYaml(Header.parse(header));
}

/** Lists of names on one line, everything else on separate lines. */
export function printYaml(value: object): string {
  const document = new Document(value);
  visit(document, {
    Seq: (_, list) => {
      list.flow = list.items.every(isScalar);
    },
  });
  return document.toString({
    lineWidth: 0,
    flowCollectionPadding: false,
    // No multi-line values: one of their lines could look like a section.
    blockQuote: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
}
