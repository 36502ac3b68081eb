import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { startStream } from './live.ts';
import './theme.css';
import { applyTheme } from './theme.ts';

applyTheme();
startStream();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
