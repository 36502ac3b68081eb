import { useState } from 'react';
import { api, type WorkflowView } from '../api.ts';
import { useLive } from '../live.ts';
import { useAct, useAsk } from '../parts/act.tsx';
import { Badge, Card, Copy, Empty, Problem, Time, type Tone, useNarrow, Verbatim } from '../parts/basics.tsx';
import { Flow } from '../parts/flow.tsx';
import { isAbout } from '../parts/news.ts';
import { follow, pathTo } from '../route.ts';
import '../parts/seams.css';

type Node = WorkflowView['nodes'][number];

const tones: Readonly<Record<Node['kind'], Tone>> = {
  step: 'busy',
  blocked: 'bad',
  gate: 'warn',
  checkpoint: 'mute',
  complete: 'good',
  stopped: 'bad',
};

/** A run that follows a workflow: every node it reached, forks and refusals, and the reasons. */
export function Workflow({ run }: { run: string }) {
  const { value: view, error } = useLive(() => api.workflow(run), run, isAbout(run));
  const [chosen, setChosen] = useState<string | null>(null);
  if (error) return <Problem error={error} />;
  if (!view) return <p className="soft">Reading…</p>;
  const node = view.nodes.find((each) => each.node === chosen) ?? view.nodes.at(-1);
  return (
    <>
      <div className="head">
        <div className="grow">
          <div className="crumbs">
            <a {...follow('/')}>Home</a> / <span className="mono">{view.run}</span>
          </div>
          <h1>{view.goal}</h1>
          <div className="soft small row">
            <span>{view.name}</span>
            <span>{view.mode}</span>
            <span>
              began <Time at={view.startedAt} />
            </span>
            {view.parent !== null && (
              <a {...follow(pathTo.workflow(view.parent))}>delegated by {view.parent}</a>
            )}
            {view.children.map((child) => (
              <a key={child} {...follow(pathTo.workflow(child))}>
                delegate {child}
              </a>
            ))}
          </div>
        </div>
        <Badge status={view.status} />
      </div>
      {view.gate && <Gate run={view.run} gate={view.gate} handedIn={handedInAt(view, view.gate.node)} />}
      <Progress view={view} />
      <Tree view={view} chosen={node?.node ?? null} choose={setChosen} />
      <div className="split">
        {node && <NodePanel view={view} node={node} />}
        <Why view={view} />
      </div>
      <Card title="Next">
        <div className="body commands">
          {view.next.map((command) => (
            <div key={command} className="row">
              <code className="grow">{command}</code>
              <Copy text={command} />
            </div>
          ))}
        </div>
      </Card>
    </>
  );
}

function handedInAt(view: WorkflowView, gate: string): Node | undefined {
  let node = view.nodes.find((each) => each.node === gate);
  // A gate that asked a person comes after the node with the submission.
  while (node && node.notes === null && node.artifacts.length === 0)
    node = view.nodes.find((each) => each.node === node?.parent);
  return node;
}

function Gate(props: { run: string; gate: NonNullable<WorkflowView['gate']>; handedIn: Node | undefined }) {
  const { run, gate, handedIn } = props;
  const act = useAct();
  const ask = useAsk();
  return (
    <Card
      className="ask"
      title={`${gate.step ?? 'The run'} waits for your approval`}
      aside={<span className="soft small">{gate.kind.replaceAll('_', ' ')}</span>}
    >
      <div className="body">
        {gate.rationale && <p>{gate.rationale}</p>}
        {handedIn && <HandedIn node={handedIn} />}
        <div className="row">
          <button
            type="button"
            className="btn primary"
            onClick={() => act('Approved', () => api.decide(run, gate.node, 'approved', ''))}
          >
            Approve
          </button>
          <button
            type="button"
            className="btn danger"
            onClick={() =>
              ask({
                title: `Reject ${gate.step ?? 'it'}`,
                hint: 'What is missing? The step begins again with this in its prompt.',
                action: 'Reject',
                isRequired: true,
                isDanger: true,
                send: (reason) => act('Rejected', () => api.decide(run, gate.node, 'rejected', reason)),
              })
            }
          >
            Reject
          </button>
        </div>
      </div>
    </Card>
  );
}

/** The steps of the workflow, with the status of each on the current branch. */
function Progress({ view }: { view: WorkflowView }) {
  const byName = new Map(view.nodes.map((node) => [node.node, node]));
  const path: Node[] = [];
  for (let node = byName.get(view.tips[0] ?? ''); node; node = byName.get(node.parent ?? '')) path.push(node);
  const plain = (step: string | null) => (step ?? '').replace(/^.*::/, '');
  const current = path[0];
  const done = new Set(path.slice(1).map(({ step }) => plain(step)));
  const skipped = new Set(
    path.flatMap(({ trace }) => trace.flatMap(({ kind, step }) => (kind === 'skipped' ? [plain(step)] : []))),
  );
  const stateOf = (id: string): [string, Tone] => {
    if (current && current.kind !== 'complete' && plain(current.step) === id)
      return ['now', tones[current.kind]];
    if (done.has(id)) return ['done', 'good'];
    return skipped.has(id) ? ['skipped', 'mute'] : ['later', 'mute'];
  };
  return (
    <Card title="Steps">
      <ol className="steps">
        {view.steps.map((step) => {
          const [word, tone] = step.kind === 'loop' ? ['loop', 'mute' as const] : stateOf(step.id);
          return (
            <li key={step.id} className={word} style={{ paddingLeft: 14 + step.depth * 22 }}>
              <i className={tone} aria-hidden="true" />
              <span className="grow">
                {step.title}
                {(step.condition !== null || step.notes.length > 0) && (
                  <span className="soft small">
                    {' '}
                    {[...(step.condition === null ? [] : [`if ${step.condition}`]), ...step.notes].join(
                      ' · ',
                    )}
                  </span>
                )}
              </span>
              <span className="soft small">{word}</span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

function Tree(props: { view: WorkflowView; chosen: string | null; choose(node: string): void }) {
  const { nodes } = props.view;
  const shown = nodes.slice(-mostNodes);
  const known = new Set(shown.map(({ node }) => node));
  const box = (node: Node) => (
    <button
      key={node.node}
      type="button"
      className={`node ${tones[node.kind]}`}
      aria-pressed={props.chosen === node.node}
      onClick={() => props.choose(node.node)}
    >
      <b>{node.step ?? 'the end'}</b>
      <span className="line">
        {node.node} {node.kind === 'step' ? node.cause : node.kind}
        {node.parent !== null && isFork(node, nodes) && ` from ${node.parent}`}
      </span>
    </button>
  );
  const more = nodes.length > shown.length && <span className="soft small">the last {mostNodes} places</span>;
  if (useNarrow())
    return (
      <Card title="Way" aside={more}>
        <div className="body stack tight">{shown.map(box)}</div>
      </Card>
    );
  return (
    <Card title="Way" aside={more}>
      <Flow
        nodes={shown.map((node) => ({ id: node.node, width: 190, height: 54, content: box(node) }))}
        edges={shown.flatMap(({ node, parent, kind }) =>
          parent !== null && known.has(parent)
            ? [{ from: parent, to: node, tone: tones[kind] === 'mute' ? 'line-strong' : tones[kind] }]
            : [],
        )}
      />
    </Card>
  );
}

/** Whether it does not follow the previous node in the list. */
function isFork({ node, parent }: Node, nodes: readonly Node[]): boolean {
  const at = nodes.findIndex((each) => each.node === node);
  return at > 0 && nodes[at - 1]?.node !== parent;
}

const mostNodes = 120;

function NodePanel({ view, node }: { view: WorkflowView; node: Node }) {
  const next =
    view.nodes.find(({ parent, kind }) => parent === node.node && kind !== 'blocked') ??
    (node.kind === 'gate' ? handedInAt(view, node.node) : undefined);
  return (
    <Card
      title={`${node.node} ${node.step ?? 'the end'}`}
      aside={
        <span className="row small soft">
          <Badge status={node.kind === 'complete' ? 'done' : node.kind}>{node.kind}</Badge>
          <Time at={node.at} />
        </span>
      }
    >
      <div className="body stack">
        {node.blockers.map(({ code, message, fix }) => (
          <div key={code + message} className="note bad">
            <strong>{message}</strong>
            <Verbatim isSmall>{fix}</Verbatim>
          </div>
        ))}
        {node.verdict && (
          <p>
            <Badge status={node.verdict.verdict === 'approved' ? 'pass' : 'warn'}>
              {node.verdict.verdict}
            </Badge>{' '}
            by {node.verdict.by}: {node.verdict.rationale}
          </p>
        )}
        {node.check && (
          <p>
            <Badge status={node.check.status} /> {node.check.kind}: {node.check.summary}
          </p>
        )}
        {next ? <HandedIn node={next} /> : <Empty>Nothing was handed in for this step yet.</Empty>}
      </div>
    </Card>
  );
}

function HandedIn({ node }: { node: Node }) {
  return (
    <>
      {node.notes !== null && <Verbatim>{node.notes}</Verbatim>}
      {node.artifacts.map((artifact, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was handed in has an order and no names
        <Verbatim key={at} isSmall>
          {JSON.stringify(artifact, null, 2)}
        </Verbatim>
      ))}
    </>
  );
}

/** The trace: what was chosen, skipped, entered and left. */
function Why({ view }: { view: WorkflowView }) {
  const lines = view.nodes.flatMap(({ node, at, trace }) =>
    trace.map(({ kind, step, detail }, n) => ({ key: `${node} ${n}`, node, at, kind, step, detail })),
  );
  return (
    <Card title="Why">
      {lines.length === 0 ? (
        <Empty>Nothing was decided yet.</Empty>
      ) : (
        <div className="scroll tall">
          <table className="list">
            <tbody>
              {lines.slice(-mostLines).map(({ key, node, kind, step, detail }) => (
                <tr key={key}>
                  <td className="soft small mono">{node}</td>
                  <td>{kind.replaceAll('_', ' ')}</td>
                  <td className="mono">{step}</td>
                  <td className="soft small">{detail}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

const mostLines = 400;
