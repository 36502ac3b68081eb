import { expect, test } from 'vitest';
import { ReceiptReport } from '#schema/integration.ts';
import type { Reply } from '#test/support/model-server/protocol.ts';
import { passingGuide } from '#test/support/passing-tests.ts';
import type { RealAgent } from '#test/support/real-agent.ts';
import { handIn, openCrew, taskOf } from '#test/support/real-crew.ts';
import { profilesCode, profilesScenario } from '#test/support/user-profiles.ts';

interface Script {
  readonly task?: string;
  readonly role?: string;
  readonly n?: number;
  readonly do: readonly { say?: string; write?: { path: string; content: string } }[];
}

/** The contract of `joinery run <spec>` with a real agent in every role. */
export function storyContract(name: RealAgent['name']): void {
  test(`${name} from a spec to landed code: plan, verification, three tasks, a clash, its rework, the receipt`, async () => {
    const { attempts } = profilesScenario() as { attempts: readonly Script[] };
    const saidBy = (role: string) => attempts.find((each) => each.role === role)?.do[0]?.say ?? '';
    const crew = await openCrew(name, ({ agent }) => (request): Reply => {
      const task = taskOf(request);
      if (request.prompt.includes('You are the plan verifier')) return { say: saidBy('verifier') };
      if (task === '') return { say: saidBy('architect') };
      const n = Number(/, attempt (\d+), on branch/.exec(request.prompt)?.[1] ?? 1);
      const script = attempts.find((each) => each.task === task && (each.n ?? n) === n);
      const files = (script?.do ?? []).flatMap(({ write }) => (write ? [write] : []));
      if (request.turn > 0)
        return {
          say: handIn(
            request,
            files.map(({ path }) => path),
          ),
        };
      const commands = files.map(
        ({ path, content }) => `mkdir -p $(dirname ${path})\ncat > ${path} <<'END'\n${content}END`,
      );
      return { calls: [agent.shell(commands.join('\n'))] };
    });
    crew.repo.commit({ ...profilesCode, ...passingGuide });
    const report = await crew.start(
      'run',
      'specs/user-profiles.md',
      '--agent',
      name,
      '--land',
      '--update-checkout',
      '--parallel',
      '3',
    ).end;
    expect(report).toMatchObject({ status: 'done', exitCode: 0, landed: { ref: 'main' } });
    expect(report?.tasks.map(({ id, status, attempts: tries }) => [id, status, tries])).toEqual([
      ['1', 'accepted', 1],
      ['2', 'accepted', 2],
      ['3', 'accepted', 1],
    ]);
    expect(crew.repo.git('rev-parse', 'main')).toBe(report?.landed?.after);
    expect(crew.repo.git('show', 'main:schema/types.py')).toContain('user.name');
    // The owner's model received what, where on both sides, the witness and the move.
    const told = crew.server.asked.filter(
      (request) => taskOf(request) === '2' && request.prompt.includes(', attempt 2, on branch'),
    );
    expect(told.length).toBeGreaterThan(0);
    for (const { prompt } of told) {
      expect(prompt).toContain('models/user.py:5');
      expect(prompt).toContain('schema/types.py:12');
      expect(prompt).toMatch(/witness: .*move: /);
    }
    const spent = crew.server.spent;
    expect(report?.cost).toMatchObject({ in: spent.in, out: spent.out });
    expect(crew.alive()).toBe(0);
    const receipt = await crew.start('receipt', 'verify', report?.run ?? '').end;
    expect(ReceiptReport.parse(receipt)).toMatchObject({ status: 'pass', isDone: true });
    expect(crew.server.unknown).toEqual([]);
  }, 300_000);
}
