import { workflowContract } from './workflow-contract.ts';

workflowContract('codex');
