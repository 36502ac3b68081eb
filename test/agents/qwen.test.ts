import { acpContract } from './acp-contract.ts';

acpContract('qwen', {
  tellsCached: true,
  resumes: true,
  asksForGit: true,
  makesRoom: false,
  faults: {
    401: 'api_error',
    // It goes on for minutes, twenty tries and more in the first, and no word about any of them.
    429: 'timeout',
    '429 with retry-after': 'timeout',
    500: 'timeout',
    // It reports half an answer as the whole one, and for the first answer its output does not show the difference.
    cut: 'ok',
    garbage: 'api_error',
    stall: 'timeout',
    silent: 'timeout',
  },
});
