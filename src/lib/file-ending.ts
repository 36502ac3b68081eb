/** `.go` for `cmd/main.go`; empty for a name without an extension. */
export function endingOf(path: string): string {
  return /[^/](\.[^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
