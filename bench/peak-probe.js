// Loaded before the command under test: writes the peak size of its process. Plain JavaScript, so that it is cheap.
import { writeFileSync } from 'node:fs';

const file = process.env.JOINERY_PEAK_FILE;
if (file) process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
