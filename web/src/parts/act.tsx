import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { ApiError } from '../api.ts';
import { AskText, type TextQuestion } from './dialog.tsx';

/** True if it succeeded. */
export type Act = (what: string, action: () => Promise<unknown>) => Promise<boolean>;
export type Ask = (question: TextQuestion) => void;

const ActContext = createContext<Act>(async () => false);
const AskContext = createContext<Ask>(() => {});

/** Runs an action and shows its result to the person. */
export function useAct(): Act {
  return useContext(ActContext);
}

/** Asks the person for a short text in a dialog. */
export function useAsk(): Ask {
  return useContext(AskContext);
}

const noteMs = 7000;

export function Actions({ children }: { children: ReactNode }) {
  const [note, setNote] = useState<{ text: string; isBad: boolean } | null>(null);
  const [question, setQuestion] = useState<TextQuestion | null>(null);
  const last = useRef(0);
  const say = (text: string, isBad: boolean) => {
    const own = ++last.current;
    setNote({ text, isBad });
    setTimeout(() => {
      if (last.current === own) setNote(null);
    }, noteMs);
  };
  const act: Act = async (what, action) => {
    try {
      const answer = (await action()) as { isDriven?: boolean } | null;
      const later =
        answer?.isDriven === false
          ? ' No process drives this run: Resume takes it up, or joinery resume.'
          : '';
      say(`${what}.${later}`, false);
      return true;
    } catch (error) {
      const hint = error instanceof ApiError && error.hint !== '' ? ` Next: ${error.hint}` : '';
      say(`${error instanceof Error ? error.message : error}.${hint}`, true);
      return false;
    }
  };
  return (
    <ActContext value={act}>
      <AskContext value={setQuestion}>
        {children}
        {question && <AskText {...question} close={() => setQuestion(null)} />}
        <div aria-live="polite">
          {note && <div className={`toast ${note.isBad ? 'bad' : ''}`}>{note.text}</div>}
        </div>
      </AskContext>
    </ActContext>
  );
}
