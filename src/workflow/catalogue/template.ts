/** What `joinery workflow new` writes: the parts that most workflows need, each with an explanation. */
export function workflowTemplate(id: string): string {
  const name = id.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase());
  return `# A workflow: an agent gets one step at a time and the next only when the current one is accepted.
# Check it with:  joinery workflow validate ${id}
# Look at it:     joinery workflow graph ${id}
# Walk it:        joinery workflow run ${id} --goal "…"
id: ${id}
name: ${name}
description: What this is for, in one sentence.
version: 0.1.0
# Variables that are given at the start. With this line every variable that is read needs a producer.
inputs: []
# Told to the agent with every step.
metaGuidance:
  - Say what you did not look at.
steps:
  - id: understand
    title: Understand the task
    # Set by this step; it is not accepted without.
    produces: [size]
    prompt: |-
      Read what "{{goal}}" touches. Set context.size to "small" or "large".
  - id: plan
    title: Plan the work
    # Passed over for good when this does not hold.
    runCondition: { var: size, equals: large }
    # Interactive: the agent asks the user first. Autonomous: the run waits at a gate.
    requireConfirmation: true
    prompt: Write the plan, and how each part will be verified.
  - type: loop
    id: work
    title: Do the work
    loop: { type: while, maxIterations: 3 }
    body:
      - id: do-part
        title: Do the next part
        prompt: Do the next part of the work, with its tests.
      - id: done-yet
        title: Is it done?
        prompt: Stop when nothing is left, otherwise continue.
        outputContract: { contractRef: wr.contracts.loop_control }
  # Run by Joinery itself: an agent cannot talk its way past it.
  - type: check
    id: prove
    title: Prove it
    check: { kind: command, argv: [git, diff, --check], claim: lint }
  - id: report
    title: Report
    prompt: What was done, what was left out, what the next person has to know.
`;
}
