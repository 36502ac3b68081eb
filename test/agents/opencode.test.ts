import { acpContract } from './acp-contract.ts';

acpContract('opencode', {
  tellsCached: true,
  resumes: true,
  asksForGit: true,
  makesRoom: true,
  faults: {
    401: 'api_error',
    // Six tries over more than a minute, each wait twice the last, none of them reported.
    429: 'timeout',
    500: 'timeout',
    cut: 'timeout',
    // It obeys retry-after, and gives up after six seconds.
    '429 with retry-after': 'api_error',
    garbage: 'api_error',
    stall: 'timeout',
    silent: 'timeout',
  },
});
