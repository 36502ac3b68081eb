import { readScenarios } from '#test/support/scenario/read-scenarios.ts';
import { firstOfEach, testScenarios } from '#test/support/scenario/scenario-tests.ts';

const scenarios = readScenarios();
const told = new Set(firstOfEach(scenarios));
await testScenarios(scenarios.filter((scenario) => !told.has(scenario)));
