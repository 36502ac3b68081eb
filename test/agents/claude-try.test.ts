import { tryContract } from './try-contract.ts';

tryContract('claude');
