import { notesBehind } from '#workflow/engine/recovery.ts';
import { readTree } from '#workflow/engine/tree.ts';
import { searchRuns } from './steer-runs.ts';
import type { WorkflowRoom } from './workflow-room.ts';

const snippetBytes = 2048;

/** Runs that can be resumed, each with its newest notes and a token. */
export async function resumeCandidates(
  room: WorkflowRoom,
  query: string | undefined,
  run: string | undefined,
) {
  const { candidates, totalEligible } = await searchRuns(room, query, run);
  return {
    totalEligible,
    candidates: candidates.map((found) => {
      const [tip] = readTree(room.log, found.run).tips;
      const node = tip ?? room.log.node(found.run, found.node);
      const [newest] = notesBehind(room.log, found.run, node);
      return {
        sessionId: found.run,
        workflowId: found.workflow,
        goal: found.goal,
        status: found.status,
        pendingStep: found.step,
        updatedAt: found.updatedAt,
        confidence: found.confidence,
        whyMatched: found.whyMatched,
        snippet: cutAt(newest?.notes ?? '', snippetBytes),
        resumeToken: room.engine.at(found.run, node.node).resumeToken,
      };
    }),
  };
}

/** Cuts a text after whole characters and marks the cut. */
function cutAt(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  return `${new TextDecoder().decode(Buffer.from(text).subarray(0, bytes - 4), { stream: true })}…`;
}
