import { acpContract } from './acp-contract.ts';

acpContract('opencode', { tellsCached: true, resumes: true, asksForGit: true });
