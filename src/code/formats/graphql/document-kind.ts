/** Whether a document defines types or contains operations. */
export function documentKind(text: string): 'types' | 'operations' {
  return /^\s*(?:(?:"""(?:(?!""")[\s\S])*"""|"(?!"")[^"\n]*"|#[^\n]*(?:\n|$))\s*)*(?:extend\s+)?(?:type|input|interface|union|enum|scalar|schema|directive)\b/.test(
    text,
  )
    ? 'types'
    : 'operations';
}
