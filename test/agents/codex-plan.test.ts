import { planContract } from './plan-contract.ts';

planContract('codex');
