import { useEffect, useRef, useState } from 'react';
import { api, type SpecList } from '../api.ts';
import { newId } from '../new-id.ts';
import { go, pathTo } from '../route.ts';
import { useAct } from './act.tsx';
import { Dialog } from './dialog.tsx';

/** Asks for a spec and an agent, and starts a run. */
export function StartRun({ close }: { close(): void }) {
  const act = useAct();
  const [known, setKnown] = useState<SpecList | null>(null);
  const [spec, setSpec] = useState('');
  const [agent, setAgent] = useState('');
  const [isBusy, setBusy] = useState(false);
  // One request, however often it is sent.
  const id = useRef(newId());
  useEffect(() => {
    let isOver = false;
    api.specs().then(
      (found) => {
        if (isOver) return;
        setKnown(found);
        setSpec((typed) => (typed === '' ? (found.specs[0] ?? '') : typed));
      },
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, []);
  const start = async () => {
    setBusy(true);
    const isStarted = await act('The run begins', async () => {
      const { run } = await api.start(id.current, spec.trim(), agent);
      close();
      go(pathTo.run(run));
    });
    if (isStarted) return;
    id.current = newId();
    setBusy(false);
  };
  return (
    <Dialog title="Start a run" close={close}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <label htmlFor="spec">
          Spec or plan
          <span className="soft small">from the top of the repository</span>
        </label>
        <input
          id="spec"
          list="specs"
          required
          placeholder="specs/checkout.md"
          value={spec}
          onChange={(event) => setSpec(event.target.value)}
        />
        <datalist id="specs">
          {(known?.specs ?? []).map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        <label htmlFor="agent">Agent</label>
        <select id="agent" value={agent} onChange={(event) => setAgent(event.target.value)}>
          <option value="">as configured</option>
          {(known?.agents ?? []).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <p className="soft small">
          It continues after this page is closed. Your branch moves only after you confirm it.
        </p>
        <div className="row end">
          <button type="button" className="btn" onClick={close}>
            Not now
          </button>
          <button type="submit" className="btn primary" disabled={isBusy || spec.trim() === ''}>
            {isBusy ? 'Beginning…' : 'Start'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
