import { agentContract } from './agent-contract.ts';

agentContract('codex');
