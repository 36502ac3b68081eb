import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './theme.css';
import { applyTheme } from './theme.ts';

applyTheme();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
