import { type ReactNode, useEffect, useRef, useState } from 'react';

/** A dialog in front of the page. The browser keeps the focus inside and closes it with Escape. */
export function Dialog(props: { title: string; close(): void; children: ReactNode }) {
  const frame = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = frame.current;
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog ref={frame} className="dialog" aria-label={props.title} onClose={props.close}>
      <h2>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

export interface TextQuestion {
  readonly title: string;
  readonly hint: string;
  /** Label of the button. */
  readonly action: string;
  readonly isRequired?: boolean;
  readonly isDanger?: boolean;
  send(text: string): void;
}

/** Asks for a short text before something is sent. */
export function AskText(props: TextQuestion & { close(): void }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const isReady = !props.isRequired || text.trim() !== '';
  const send = () => {
    if (!isReady) return;
    props.close();
    props.send(text.trim());
  };
  return (
    <Dialog title={props.title} close={props.close}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          ref={field}
          rows={3}
          aria-label={props.title}
          placeholder={props.hint}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
          }}
        />
        <div className="row end">
          <span className="soft small grow">Ctrl Enter sends it</span>
          <button type="button" className="btn" onClick={props.close}>
            Not now
          </button>
          <button
            type="submit"
            className={`btn ${props.isDanger ? 'danger' : 'primary'}`}
            disabled={!isReady}
          >
            {props.action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
