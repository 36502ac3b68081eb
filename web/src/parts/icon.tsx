const shapes = {
  home: 'M3 11.5 12 4l9 7.5M5.5 9.5V20h13V9.5M10 20v-6h4v6',
  seams: 'M4 4h6v3a2 2 0 1 0 4 0V4h6v16h-6v-3a2 2 0 1 0-4 0v3H4z',
  run: 'M5 6h5v4H5zM14 14h5v4h-5zM14 6h5v4h-5zM10 8h4M7.5 10v6H14',
  town: 'M3 20h18M5 20V10l5-4 5 4v10M15 12h4v8M9 20v-4h2v4',
  commands: 'M5 7l4 5-4 5M12 17h7',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3 7 7M17 17l1.7 1.7M5.3 18.7 7 17M17 7l1.7-1.7',
  dark: 'M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
} as const;

export type IconName = keyof typeof shapes;

/** A small drawing beside a word; screen readers skip it because the word says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
