/** The variable of a person who wants no sandbox; `--no-sandbox` sets it for one command. */
export const sandboxVariable = 'JOINERY_SANDBOX';
