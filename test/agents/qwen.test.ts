import { acpContract } from './acp-contract.ts';

acpContract('qwen', {
  tellsCached: true,
  resumes: true,
  asksForGit: true,
  makesRoom: false,
  faults: {
    401: 'api_error',
    // It continues for minutes, with more than twenty tries in the first one, none of them reported.
    429: 'timeout',
    '429 with retry-after': 'timeout',
    500: 'timeout',
    // It reports half an answer as a whole one, and for the first answer its output does not show the difference.
    cut: 'ok',
    garbage: 'api_error',
    stall: 'timeout',
    silent: 'timeout',
  },
});
