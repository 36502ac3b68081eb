/** The page that `check --format html` writes: one file, no requests, the seams of one report. */
import { createRoot } from 'react-dom/client';
import type { CheckView } from './api.ts';
import { Seams } from './pages/seams.tsx';
import './theme.css';
import { applyTheme } from './theme.ts';

applyTheme();
const data = document.getElementById('report')?.textContent ?? 'null';
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <main>
      <Seams view={JSON.parse(data) as CheckView} chosenFinding={null} branch={null} />
    </main>,
  );
