import { asObject } from '#lib/json-value.ts';
import { parseJson } from '#lib/parse-json.ts';
import type { Gate, TestOrigin } from '#schema/gates.ts';

/** A script that checks something. Others start, publish or rewrite. */
const checking =
  /^(lint|test(?=[:.-])|typecheck|type-check|types|tsc|build|unit|e2e|integration|format|fmt|check|verify|coverage|audit|knip|depcheck)([:.-](check|ci|unit|e2e|integration|types|lint|all))?$/;
const most = 8;

/** Scripts of package.json at the top that no gate runs: a person may make them gates. `test` is a source of tests already. */
export function offeredScripts(files: ReadonlyMap<string, string>, gates: readonly Gate[]): TestOrigin[] {
  const { scripts } = asObject(parseJson(files.get('package.json') ?? ''));
  return Object.keys(asObject(scripts))
    .filter((name) => checking.test(name) && !gates.some(({ command }) => runsScript(command, name)))
    .slice(0, most)
    .map((name) => ({
      origin: 'package.json',
      command: `npm run ${name}`,
      use: 'offered',
    }));
}

/** `npm run lint`, `pnpm lint`, `yarn --silent lint`. */
function runsScript(command: string, name: string): boolean {
  return command.split(/[\s;&|()]+/).includes(name);
}
