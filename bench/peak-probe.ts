/** Loaded before the command under test: writes how large its process grew. */
import { writeFileSync } from 'node:fs';

const file = process.env.JOINERY_PEAK_FILE;
if (file) process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
