export type Theme = 'light' | 'dark' | 'system';

const key = 'joinery-theme';
const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    // A page opened as a file may have no storage.
    return 'system';
  }
}

/** Follows the system until a person chooses. */
export function applyTheme(theme: Theme = storedTheme()): void {
  const shown = theme === 'system' ? (isDark() ? 'dark' : 'light') : theme;
  document.documentElement.dataset.theme = shown;
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The choice lasts until the page is closed.
  }
  applyTheme(theme);
}

if (typeof matchMedia !== 'undefined')
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => applyTheme());
