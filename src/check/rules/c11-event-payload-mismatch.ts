import type { TopicUse } from '#code/formats/shared/data-facts.ts';
import { type At, changedData, newIn } from './data/changed-data.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey } from './survey/survey.ts';

export const eventPayloadMismatch = {
  id: 'C11',
  name: 'event-payload-mismatch',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.85,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 54, real: 54 },
  what: 'One branch publishes an event, a message, a job or a Redux action, another one adds a listener that reads a key which is not sent. Emitters, Kafka, RabbitMQ, BullMQ, Celery and Redux are followed; all keys that are sent have to be written out.',
  example: { a: ['+ bus.emit("paid", { orderId })'], b: ['+ bus.on("paid", (e) => e.order_id)'] },
  move: 'Agree on the keys of the event.',
  proof: ['likely'],
  owner: 'either',
  detect: { survey: unsentKeys },
} satisfies Rule;

async function unsentKeys(survey: Survey): Promise<Sighting[]> {
  const all = [...(await changedData(survey)).values()].flat();
  const news = all.flatMap((changed) => newIn(changed, ({ topics }) => topics));
  const byTopic = Map.groupBy(news, ({ topic }) => topic);
  const found: Sighting[] = [];
  for (const [topic, uses] of byTopic) {
    const senders = uses.filter(({ role }) => role === 'publishes');
    for (const reader of uses.filter(({ role }) => role === 'subscribes'))
      for (const sender of senders) {
        if (sender.side === reader.side || !survey.isApart(sender.side, reader.side) || sender.open) continue;
        const missing = unsent(sender, reader);
        // A sender of these keys on the reader's own side is the one that the reader listens to. A task is called by all of them.
        const isServed =
          !topic.startsWith('task ') &&
          all
            .filter(({ side }) => side === reader.side)
            .flatMap(({ after }) => after.topics ?? [])
            .some(
              (own) =>
                own.role === 'publishes' &&
                own.topic === topic &&
                !unsent(own, reader).some((key) => missing.includes(key)),
            );
        if (missing.length > 0 && !isServed) found.push(sighting(topic, sender, reader, missing));
      }
  }
  return found;
}

/** Keys that are read but not sent. Positional values are the first ones. */
function unsent(sender: TopicUse, reader: TopicUse): string[] {
  return reader.keys.slice(sender.positional ?? 0).filter((key) => !sender.keys.includes(key));
}

function sighting(
  topic: string,
  sender: At<TopicUse>,
  reader: At<TopicUse>,
  missing: readonly string[],
): Sighting {
  return {
    key: `event:${topic}`,
    provider: { ...sender, name: topic },
    sites: [{ ...reader, name: topic }],
    subject: topic,
    confidence: 'likely',
    message: `${sender.side.ref} sends ${topic} with ${sentBy(sender)}; ${reader.side.ref} reads ${missing.join(', ')} from it`,
    suggestion: `send and read the same keys`,
  };
}

function sentBy({ keys, positional = 0 }: TopicUse): string {
  const values = positional === 0 ? [] : [`${positional} value${positional === 1 ? '' : 's'}`];
  return [...values, ...keys].join(', ') || 'no keys';
}
