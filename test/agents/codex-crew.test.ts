import { crewContract } from './crew-contract.ts';

crewContract('codex');
