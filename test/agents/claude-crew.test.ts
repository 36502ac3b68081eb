import { crewContract } from './crew-contract.ts';

crewContract('claude');
