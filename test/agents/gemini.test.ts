import { acpContract } from './acp-contract.ts';

acpContract('gemini', {
  tellsCached: false,
  resumes: false,
  asksForGit: false,
  makesRoom: false,
  faults: {
    401: 'api_error',
    // Ten tries, five seconds apart and more, none of them reported; it ignores retry-after.
    429: 'timeout',
    '429 with retry-after': 'timeout',
    500: 'timeout',
    cut: 'api_error',
    garbage: 'api_error',
    stall: 'timeout',
    silent: 'timeout',
  },
});
