import { acpContract } from './acp-contract.ts';

acpContract('opencode', {
  tellsCached: true,
  resumes: true,
  asksForGit: true,
  makesRoom: true,
  faults: {
    401: 'api_error',
    // Six tries over a minute and more, each wait twice the last, and no word about any of them.
    429: 'timeout',
    500: 'timeout',
    cut: 'timeout',
    // It does as it is told, and has given up after six seconds.
    '429 with retry-after': 'api_error',
    garbage: 'api_error',
    stall: 'timeout',
    silent: 'timeout',
  },
});
