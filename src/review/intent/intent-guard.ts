/** Whether a text asks for an answer or for a change. */
export interface Intent {
  readonly intent: 'question' | 'change';
  /** The rule that decided. */
  readonly rule: 'sections' | 'request' | 'question-mark' | 'question-word' | 'default';
}

/** A text with the sections of a spec is a spec, whatever questions it contains. */
const specSection =
  /^#{2,6} .*\b(requirements?|acceptance|criteria|goal|scope|design|tasks?|anforderungen?)\b/im;

/** `Can you add …?` asks for a change. */
const request =
  /^(please\s+|(can|could|would|will)\s+(you|we|somebody|someone)\s+(please\s+)?)?(add|allow|build|bump|change|clean|convert|create|delete|deprecate|drop|enable|disable|ensure|export|extract|fix|handle|hide|implement|improve|increase|introduce|let|limit|make|merge|migrate|move|prevent|reduce|refactor|remove|rename|replace|return|rewrite|show|simplify|sort|split|store|support|switch|test|update|upgrade|use|validate|write)\b/i;

const questionWord =
  /^(why|what|what's|which|who|whose|whom|when|where|how|is|are|was|were|do|does|did|has|have|can|could|should|would|will|may|explain|describe|tell me|show me how|compare|wie|was|warum|wieso|weshalb|wer|wo|wann|welche[rsmn]?|ist|sind|kann|erkläre?)\b/i;

/**
 * A question must not start work. Deterministic and cautious: what is not clearly a question is a change, and the audit of
 * the spec then decides.
 */
export function intentOf(text: string): Intent {
  if (specSection.test(text)) return { intent: 'change', rule: 'sections' };
  const sentences = sentencesOf(text);
  if (sentences.length === 0) return { intent: 'change', rule: 'default' };
  if (sentences.some((sentence) => request.test(sentence))) return { intent: 'change', rule: 'request' };
  if (sentences.every((sentence) => /[?？]$/.test(sentence)))
    return { intent: 'question', rule: 'question-mark' };
  const [first = ''] = sentences;
  const isAsked =
    questionWord.test(first) && sentences.every((each) => questionWord.test(each) || /[?？]$/.test(each));
  return isAsked ? { intent: 'question', rule: 'question-word' } : { intent: 'change', rule: 'default' };
}

/** The prose: no code, no heading marks, no list marks. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .split('\n')
    .map((line) => line.replace(/^\s*(#{1,6}\s+|[-*+]\s+(\[.\]\s+)?|\d+[.)]\s+|>\s*)/, '').trim())
    .flatMap((line) => line.split(/(?<=[.!?？])\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
