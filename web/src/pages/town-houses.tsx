import type { ReactElement } from 'react';

/** The ground line of the houses. */
export const ground = 250;

interface HouseProps {
  /** A task is in it. */
  readonly isLit: boolean;
}

/** One building per phase; all are 200 wide. */
export const houses: Readonly<Record<string, (props: HouseProps) => ReactElement>> = {
  square: Square,
  workshop: Workshop,
  gatehouse: Gatehouse,
  office: Office,
  hall: Hall,
};

const floor = ground - 20;

function Square() {
  return (
    <>
      <Tree x={22} size={1.1} />
      <g className="bench" transform={`translate(176 ${floor})`}>
        <path d="M-16 -12 h32 M-16 -18 h32 M-12 -12 v12 M12 -12 v12" />
      </g>
      <ellipse className="stone" cx={102} cy={floor - 4} rx={58} ry={12} />
      <ellipse className="water" cx={102} cy={floor - 7} rx={48} ry={8} />
      <rect className="stone" x={97} y={floor - 52} width={10} height={46} rx={3} />
      <ellipse className="stone" cx={102} cy={floor - 52} rx={22} ry={6} />
      <ellipse className="water" cx={102} cy={floor - 54} rx={17} ry={4} />
      <path
        className="jet"
        d={`M102 ${floor - 56} q-16 -26 -22 0 M102 ${floor - 56} q16 -26 22 0 M102 ${floor - 56} v-18`}
      />
      <g className="lamp" transform="translate(154 0)">
        <rect className="iron" x={-2} y={floor - 70} width={4} height={70} />
        <circle className="glow" cx={0} cy={floor - 74} r={7} />
      </g>
    </>
  );
}

function Workshop({ isLit }: HouseProps) {
  return (
    <>
      {isLit && (
        <g className="smoke">
          <circle cx={154} cy={74} r={7} />
          <circle cx={164} cy={58} r={9} />
          <circle cx={178} cy={40} r={12} />
        </g>
      )}
      <rect className="wall" x={14} y={136} width={172} height={floor - 136} rx={3} />
      <rect className="brick" x={142} y={86} width={20} height={40} />
      <path
        fill="#3b6fd4"
        d="M4 140 L58 104 L58 140 Z M58 140 L112 104 L112 140 Z M112 140 L166 104 L196 140 Z"
      />
      <rect className="door" x={24} y={floor - 62} width={72} height={62} rx={3} />
      <path className="beam" d={`M24 ${floor - 42} h72 M24 ${floor - 22} h72 M60 ${floor - 62} v62`} />
      <rect className="pane" x={116} y={158} width={54} height={30} rx={3} />
      <path className="beam" d="M143 158 v30 M116 173 h54" />
    </>
  );
}

function Gatehouse() {
  return (
    <>
      {[10, 140].map((x) => (
        <g key={x}>
          <rect className="wall" x={x} y={118} width={50} height={floor - 118} />
          <path className="wall" d={`M${x - 4} 118 v-16 h12 v8 h11 v-8 h12 v8 h11 v-8 h12 v16 Z`} />
          <rect className="pane" x={x + 19} y={142} width={12} height={24} rx={6} />
        </g>
      ))}
      <rect className="wall" x={60} y={146} width={80} height={floor - 146} />
      <path fill="#7a55c7" d="M54 148 L100 116 L146 148 Z" />
      <path className="door" d={`M74 ${floor} v-38 a26 26 0 0 1 52 0 v38 Z`} />
      <path
        className="beam"
        d={`M87 ${floor} v-58 M100 ${floor} v-64 M113 ${floor} v-58 M74 ${floor - 20} h52 M74 ${floor - 38} h52`}
      />
    </>
  );
}

function Office({ isLit }: HouseProps) {
  return (
    <>
      <g className="cat" transform="translate(132 86)">
        <path d="M-8 0 q-1 -12 8 -12 q9 0 8 12 Z" />
        <path d="M-5 -10 l-1 -8 l5 4 h3 l5 -4 l-1 8 Z" />
        <path className="tail" d="M8 -2 q10 -1 8 -12" />
      </g>
      <g transform={`translate(14 ${floor})`}>
        <rect className="iron" x={-1.5} y={-26} width={3} height={26} />
        <path className="box" d="M-9 -26 v-9 a9 7 0 0 1 18 0 v9 Z" />
        <path className="raised" d={isLit ? 'M9 -30 v-14 h7 v6 h-7' : 'M9 -30 h12 v4 h-12'} />
      </g>
      <rect className="wall" x={26} y={112} width={148} height={floor - 112} rx={3} />
      <path fill="#c2542d" d="M16 116 L36 86 H164 L184 116 Z" />
      {[0, 1, 2].flatMap((column) =>
        [0, 1].map((row) => (
          <rect
            key={`${column} ${row}`}
            className="pane"
            x={42 + column * 44}
            y={128 + row * 38}
            width={28}
            height={24}
            rx={2}
          />
        )),
      )}
      <rect className="door" x={86} y={floor - 32} width={28} height={32} rx={3} />
      <path className="awning" d={`M78 ${floor - 34} h44 l-5 -9 h-34 Z`} />
    </>
  );
}

function Hall() {
  return (
    <>
      <rect className="iron" x={98} y={22} width={3} height={34} />
      <path className="flag" d="M101 24 q10 5 20 0 v14 q-10 5 -20 0 Z" />
      <rect className="wall" x={78} y={56} width={44} height={56} />
      <path fill="#2f8f57" d="M72 60 L100 42 L128 60 Z" />
      <circle className="clock" cx={100} cy={82} r={13} />
      <path className="beam" d="M100 82 v-8 M100 82 l6 4" />
      <rect className="wall" x={14} y={128} width={172} height={floor - 128} rx={2} />
      <path fill="#2f8f57" d="M4 130 L100 92 L196 130 Z" />
      {[26, 58, 128, 160].map((x) => (
        <rect key={x} className="column" x={x} y={136} width={13} height={floor - 142} rx={2} />
      ))}
      <path className="door" d={`M86 ${floor} v-44 a14 14 0 0 1 28 0 v44 Z`} />
      <path className="stone" d={`M8 ${floor - 6} h184 v6 h-184 Z`} />
    </>
  );
}

function Tree({ x, size }: { x: number; size: number }) {
  return (
    <g transform={`translate(${x} ${floor}) scale(${size})`}>
      <rect className="trunk" x={-3} y={-26} width={6} height={26} />
      <circle className="leaves" cx={0} cy={-42} r={19} />
      <circle className="leaves" cx={-11} cy={-32} r={12} />
      <circle className="leaves" cx={11} cy={-31} r={12} />
    </g>
  );
}

/** Sky, hills and background. Clouds by day, stars by night. */
export function Backdrop(props: { width: number; bottom: number; isFestive: boolean }) {
  const { width, bottom, isFestive } = props;
  return (
    <>
      <rect className="sky" width={width} height={floor} />
      <circle className="sun" cx={110} cy={54} r={26} />
      <circle className="moon-shade" cx={121} cy={47} r={22} />
      <g className="stars">
        {stars.map(([x, y, r]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={r} />
        ))}
      </g>
      <g className="clouds">
        {[
          [300, 52, 1],
          [640, 34, 0.8],
          [910, 66, 1.15],
        ].map(([x = 0, y = 0, size = 1]) => (
          <path
            key={x}
            transform={`translate(${x} ${y}) scale(${size})`}
            d="M0 20 a14 14 0 0 1 8 -26 a20 20 0 0 1 38 -4 a16 16 0 0 1 26 14 a10 10 0 0 1 -4 16 Z"
          />
        ))}
      </g>
      <path
        className="birds"
        d="M470 44 q6 -7 11 0 q6 -7 11 0 M520 62 q5 -6 9 0 q5 -6 9 0 M850 40 q5 -6 9 0 q5 -6 9 0"
      />
      <path
        className="hills far"
        d={`M0 ${floor} Q 120 128 300 ${floor - 44} T 620 ${floor - 60} T 930 ${floor - 46} T ${width} ${floor - 66} V ${floor} Z`}
      />
      <path
        className="hills"
        d={`M0 ${floor} Q 160 150 340 ${floor - 12} T 720 ${floor - 18} T ${width} ${floor - 8} V ${floor} Z`}
      />
      <rect className="street" y={floor} width={width} height={bottom - floor} />
      <path className="kerb" d={`M0 ${floor} h${width}`} />
      <path className="stones" d={stones(width, bottom)} />
      <g className="flowers">
        {[216, 226, 236, 468, 704, 716, 946].map((x, n) => (
          <g key={x} transform={`translate(${x} ${floor})`}>
            <path d="M0 0 v-11" />
            <circle cx={0} cy={-13} r={4} className={n % 2 === 0 ? 'red' : 'yellow'} />
          </g>
        ))}
      </g>
      {isFestive && <Bunting width={width} />}
    </>
  );
}

/** Scattered cobbles, the same every time: the two step sizes never line up. */
function stones(width: number, bottom: number): string {
  const height = Math.max(40, bottom - floor - 60);
  const count = Math.round((width * height) / 3600);
  const places = Array.from({ length: count }, (_, n) => [
    8 + ((n * 0.7549) % 1) * (width - 40),
    floor + 40 + ((n * 0.5698) % 1) * height,
  ]);
  return places.map(([x = 0, y = 0], n) => `M${x.toFixed(0)} ${y.toFixed(0)} h${8 + (n % 3) * 6}`).join(' ');
}

/** Decoration when the run is done. */
function Bunting({ width }: { width: number }) {
  const span = width / 5;
  const rope = Array.from({ length: 5 }, (_, n) => `M${n * span} 92 q${span / 2} 34 ${span} 0`).join(' ');
  const flags = Array.from({ length: 35 }, (_, n) => {
    const t = ((n % 7) + 0.5) / 7;
    return { x: (Math.floor(n / 7) + t) * span, y: 92 + 34 * 2 * t * (1 - t) };
  });
  return (
    <g className="bunting">
      <path d={rope} />
      {flags.map(({ x, y }, n) => (
        <path key={x} className={`c${n % 4}`} d={`M${x - 7} ${y} h14 l-7 15 Z`} />
      ))}
    </g>
  );
}

const stars = [
  [60, 120, 1.2],
  [210, 40, 1.6],
  [285, 96, 1],
  [390, 28, 1.4],
  [470, 84, 1],
  [560, 52, 1.6],
  [690, 90, 1.2],
  [770, 30, 1.5],
  [860, 104, 1],
  [980, 44, 1.6],
  [1050, 88, 1.1],
  [1150, 34, 1.4],
] as const;
