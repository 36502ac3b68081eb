import { expect, test } from 'vitest';
import { PlanReport, VerifyReport } from '#schema/planning.ts';
import { greetingCode, greetingPlan, greetingSpec, verdict } from '#test/support/planning.ts';
import type { RealAgent } from '#test/support/real-agent.ts';
import { openCrew } from '#test/support/real-crew.ts';

/** The contract of planning with a real agent as architect and verifier. */
export function planContract(name: RealAgent['name']): void {
  test(`${name} plans and verifies; its model gets the project as architect, and only spec and plan as verifier`, async () => {
    const crew = await openCrew(name, ({ agent }) => ({ prompt, turn, results }) => {
      if (prompt.includes('You are the plan verifier')) {
        if (turn === 0) return { calls: [agent.shell('ls -a; cat CLAUDE.md src/* ../*')] };
        return { say: `Here is my verdict.\n\n\`\`\`json\n${JSON.stringify(verdict())}\n\`\`\`` };
      }
      if (turn === 0) return { calls: [agent.shell('cat src/marker.ts')] };
      return { say: `PROSE-OF-THE-ARCHITECT ${results.length} ${JSON.stringify(greetingPlan())}` };
    });
    crew.repo.commit({
      ...greetingCode,
      'src/marker.ts': '// CODE-OF-THE-PROJECT\n',
      'CLAUDE.md': 'GUIDE-OF-THE-PROJECT\n',
      'AGENTS.md': 'GUIDE-OF-THE-PROJECT\n',
      'specs/greeting.md': greetingSpec,
    });
    const planned = PlanReport.parse(await crew.start('plan', 'specs/greeting.md', '--agent', name).end);
    expect(planned).toMatchObject({ status: 'planned', plan: { tasks: [{ id: 'greet' }, { id: 'shout' }] } });
    const spent = planned.consultations.reduce((sum, each) => sum + each.in + each.out, 0);
    expect(spent).toBe(crew.server.spent.in + crew.server.spent.out);
    // The architect's program reads the project's guides, so the markers would be found if they were available.
    expect(crew.server.requests.map(({ raw }) => raw).join('\n')).toContain('GUIDE-OF-THE-PROJECT');
    const before = crew.server.requests.length;
    const verified = VerifyReport.parse(
      await crew.start('verify', 'specs/greeting.plan.json', '--agent', name).end,
    );
    expect(verified).toMatchObject({ status: 'pass', counts: { covered: 2 } });
    const told = crew.server.requests.slice(before).map(({ raw }) => raw);
    expect(told.join('\n')).toContain('Hello, stranger!');
    for (const marker of [
      'CODE-OF-THE-PROJECT',
      'GUIDE-OF-THE-PROJECT',
      'PROSE-OF-THE-ARCHITECT',
      'RATIONALE-OF-THE-ARCHITECT',
      crew.repo.dir,
    ])
      for (const request of told) expect(request).not.toContain(marker);
    expect(crew.repo.git('status', '--porcelain')).toBe('?? specs/greeting.plan.json');
    expect(crew.server.unknown).toEqual([]);
  }, 300_000);
}
