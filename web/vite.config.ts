import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `pages` is what the server serves; `file` is the single script that `check --format html` puts into its page. */
export default defineConfig(({ mode }) => ({
  plugins: [react()],
  build:
    mode === 'file'
      ? {
          outDir: '../dist/web/file',
          emptyOutDir: true,
          copyPublicDir: false,
          cssCodeSplit: false,
          modulePreload: false,
          target: 'es2022',
          rolldownOptions: {
            input: fileURLToPath(new URL('src/file.tsx', import.meta.url)),
            output: { format: 'iife' as const, entryFileNames: 'seams.js', assetFileNames: 'seams[extname]' },
          },
        }
      : { outDir: '../dist/web', emptyOutDir: true, target: 'es2022' },
  define: mode === 'file' ? { 'process.env.NODE_ENV': '"production"' } : {},
}));
