import { acpContract } from './acp-contract.ts';

acpContract('qwen', { tellsCached: true, resumes: true, asksForGit: true });
