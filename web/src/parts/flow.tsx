import { graphlib, layout } from '@dagrejs/dagre';
import {
  Background,
  BackgroundVariant,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeTypes,
  Position,
  ReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import type { ReactNode } from 'react';
import './flow.css';

export interface FlowNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly content: ReactNode;
}

export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
  readonly tone?: string;
  readonly isMoving?: boolean;
  /** Width of its line, in pixels. */
  readonly weight?: number;
  /** Called on a click. */
  choose?(): void;
}

const nodeTypes: NodeTypes = {
  box: ({ data }) => (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      {(data as { content: ReactNode }).content}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  ),
};

/** Between boxes and the edge, in pixels. */
const margin = 26;
const letterWidth = 7;
const readableZoom = 0.75;
/** With more edges, labels would hide each other: only animated edges keep theirs. */
const mostLabels = 24;

/** A graph from left to right; the layout depends only on the edges, so that a live graph does not jump. */
export function Flow({ nodes, edges }: { nodes: readonly FlowNode[]; edges: readonly FlowEdge[] }) {
  const places = placesOf(nodes, edges);
  const maxZoom = window.innerWidth > 3000 ? 1.9 : window.innerWidth > 2200 ? 1.4 : 1.1;
  const tall = Math.max(0, ...nodes.map(({ id, height }) => (places.get(id)?.y ?? 0) + height));
  // As tall as needed at full size, but not taller than the window, unless it would become unreadable.
  const height = `max(160px, min(${Math.round(tall * maxZoom) + 2 * margin}px, max(100vh - 300px, ${Math.round(tall * readableZoom)}px)))`;
  const shownNodes: Node[] = nodes.map(({ id, content, width, height: tall }) => ({
    id,
    type: 'box',
    position: places.get(id) ?? { x: 0, y: 0 },
    data: { content },
    width,
    height: tall,
    draggable: false,
    connectable: false,
    // The library treats nodes that cannot be dragged or selected as not clickable.
    style: { pointerEvents: 'all' },
    className: 'nopan',
  }));
  const shownEdges: Edge[] = edges.map(({ from, to, label, tone, isMoving, weight, choose }) => ({
    id: `${from} ${to} ${label ?? ''}`,
    source: from,
    target: to,
    label: edges.length <= mostLabels || isMoving ? label : undefined,
    animated: isMoving ?? false,
    style: { stroke: `var(--${tone ?? 'line-strong'})`, strokeWidth: weight ?? 1.6 },
    markerEnd: {
      type: MarkerType.ArrowClosed,
      width: 14,
      height: 14,
      color: `var(--${tone ?? 'line-strong'})`,
    },
    ...(choose ? { data: { choose }, className: 'chosen-by-click' } : {}),
  }));
  return (
    <div style={{ height }} className="flow">
      <ReactFlow
        nodes={shownNodes}
        edges={shownEdges}
        nodeTypes={nodeTypes}
        fitView
        // Keeps boxes away from the buttons.
        fitViewOptions={{
          maxZoom,
          padding: { left: '58px', right: `${margin}px`, top: `${margin}px`, bottom: `${margin}px` },
        }}
        minZoom={0.1}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onEdgeClick={(_, { data }) => (data as { choose?(): void } | undefined)?.choose?.()}
        zoomOnScroll={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background variant={BackgroundVariant.Dots} gap={22} size={1} color="var(--line-strong)" />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

function placesOf(
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
): Map<string, { x: number; y: number }> {
  const graph = new graphlib.Graph();
  const longest = Math.max(0, ...edges.map(({ label = '' }) => label.length));
  graph.setGraph({ rankdir: 'LR', nodesep: 22, ranksep: 70 + Math.min(longest, 30) * letterWidth });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const { from, to } of edges)
    if (graph.hasNode(from) && graph.hasNode(to) && from !== to) graph.setEdge(from, to);
  layout(graph);
  return new Map(
    nodes.map(({ id, width, height }) => {
      const { x = 0, y = 0 } = graph.node(id) as { x?: number; y?: number };
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
}
