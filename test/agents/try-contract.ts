import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TryReport } from '#schema/agents-report.ts';
import { installedBinary } from '#scripts/contract-agents.ts';
import { makeRepo } from '../support/engine-repo.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { ModelServer } from '../support/model-server/model-server.ts';
import { inTurn, type RealAgent, realAgents } from '../support/real-agent.ts';

/** Cost of 200 tokens in and 20 out: reported by the agent or from our table; a model without a price costs nothing. */
const dollars = { claude: 0.0009, codex: 0, gemini: 0.00011, opencode: 0.0003, qwen: 0 } as const;

/** `joinery agents try`, with the real program. */
export function tryContract(name: RealAgent['name']): void {
  test(`${name} can be tried`, { timeout: 180_000 }, async () => {
    const agent = realAgents[name];
    const command = 'echo hello from joinery > hello.txt';
    const tokens = { in: 100, out: 10 };
    const server = await ModelServer.start(
      inTurn({ calls: [agent.shell(command)], tokens }, { say: 'Done.', tokens }),
    );
    onTestFinished(() => server.close());
    const home = temporaryFolder();
    for (const [path, content] of Object.entries(agent.files?.(server.url) ?? {})) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), JSON.stringify(content));
    }
    const own = { command: installedBinary(name), args: agent.args(server.url) };
    const repo = makeRepo({ 'joinery.json': JSON.stringify({ agents: { [name]: own } }) });
    const { code, stdout, stderr } = await joinery(
      ['agents', 'try', name, '--model', agent.model, '--timeout', '120', '--json'],
      {
        cwd: repo.dir,
        env: {
          HOME: home,
          XDG_CONFIG_HOME: undefined,
          XDG_STATE_HOME: undefined,
          ...agent.variables(server.url),
        },
      },
    );
    const report = TryReport.parse(JSON.parse(stdout || stderr));
    expect({ code, report }).toMatchObject({
      code: 0,
      report: { agent: name, outcome: 'ok', isDone: true, changed: ['hello.txt'], model: agent.model },
    });
    expect(report.usage).toMatchObject({ in: 200, out: 20 });
    expect(report.usage.usd).toBeCloseTo(dollars[name], 9);
  });
}
