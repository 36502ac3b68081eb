import { storyContract } from './story-contract.ts';

storyContract('claude');
