/** Text as a regular expression that matches exactly this text: `a.b` gives `a\.b`. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
