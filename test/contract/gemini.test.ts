import { acpContract } from './acp-contract.ts';

acpContract('gemini', { tellsCached: false, resumes: false, asksForGit: false });
