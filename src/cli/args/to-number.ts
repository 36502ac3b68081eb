/** The value of an option that wants a number. What is none is left for the config's schema to refuse. */
export function toNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
