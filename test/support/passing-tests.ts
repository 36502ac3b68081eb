/** Tests of a project that are green at once: a command that names a case as TAP. Nothing lands without such a run. */
export const passingTests = `printf 'TAP version 13\\nok 1 - works\\n1..1\\n'`;

/** AGENTS.md of a project with these tests. */
export const passingGuide = { 'AGENTS.md': `## Quality Gates\n\n- test: \`${passingTests}\`\n` };
