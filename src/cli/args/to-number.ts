/** The value of a numeric option. Text that is not a number is passed on: the config's schema refuses it. */
export function toNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
