// Loaded before the command under test: writes how large its process grew. Plain JavaScript, so that it costs next to nothing.
import { writeFileSync } from 'node:fs';

const file = process.env.JOINERY_PEAK_FILE;
if (file) process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
