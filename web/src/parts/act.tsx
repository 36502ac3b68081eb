import { createContext, type ReactNode, useContext, useState } from 'react';
import { ApiError } from '../api.ts';

type Act = (what: string, action: () => Promise<unknown>) => Promise<void>;

const ActContext = createContext<Act>(async () => {});

/** Runs an action and tells the person what came of it. */
export function useAct(): Act {
  return useContext(ActContext);
}

export function Actions({ children }: { children: ReactNode }) {
  const [note, setNote] = useState<{ text: string; isBad: boolean } | null>(null);
  const act: Act = async (what, action) => {
    try {
      const answer = (await action()) as { isDriven?: boolean } | null;
      const later =
        answer?.isDriven === false ? ' No process drives this run: joinery resume takes it up.' : '';
      setNote({ text: `${what}.${later}`, isBad: false });
    } catch (error) {
      const hint = error instanceof ApiError && error.hint !== '' ? ` Next: ${error.hint}` : '';
      setNote({ text: `${error instanceof Error ? error.message : error}.${hint}`, isBad: true });
    }
    setTimeout(() => setNote(null), 6000);
  };
  return (
    <ActContext value={act}>
      {children}
      <div aria-live="polite">
        {note && <div className={`toast ${note.isBad ? 'bad' : ''}`}>{note.text}</div>}
      </div>
    </ActContext>
  );
}
