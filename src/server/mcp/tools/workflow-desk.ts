export { listWorkflows, showWorkflow } from '#app/workflow/describe-workflows.ts';
export { resumeCandidates } from '#app/workflow/resume-candidates.ts';
export { chooseWorkflowRun, forkRun, workflowStatus } from '#app/workflow/steer-runs.ts';
export { openWorkflowRoom } from '#app/workflow/workflow-room.ts';
export { continueWorkflow, startWorkflow } from '#app/workflow/workflow-runs.ts';
