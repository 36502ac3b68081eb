import { storyContract } from './story-contract.ts';

storyContract('codex');
