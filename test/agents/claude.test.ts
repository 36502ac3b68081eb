import { agentContract } from './agent-contract.ts';

agentContract('claude');
