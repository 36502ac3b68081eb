import { Fragment, useState } from 'react';
import { api, type Question } from '../api.ts';
import { useAct } from './act.tsx';
import { Card } from './basics.tsx';

/** A pending decision, with its options and their effects. */
export function QuestionCard({ run, question }: { run: string; question: Question }) {
  const act = useAct();
  const [text, setText] = useState('');
  const takesText = question.options.some(({ value }) => value === 'retry');
  return (
    <Card
      className="ask"
      title={question.text}
      aside={<span className="soft small">{question.about ?? 'the run'}</span>}
    >
      <div className="body">
        {question.evidence.length > 0 && (
          <ul className="small soft evidence">
            {question.evidence.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {takesText && (
          <textarea
            rows={2}
            aria-label="What the agent should know when it tries again"
            placeholder="What should the agent know when it tries again?"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <div className="options">
          {question.options.map(({ value, effect }) => (
            <Fragment key={value}>
              <button
                type="button"
                className={`btn ${value === question.default ? 'primary' : ''}`}
                onClick={() =>
                  act(`Answered ${value}`, () =>
                    api.answer(run, question.id, value, value === 'retry' ? text : ''),
                  )
                }
              >
                {value}
              </button>
              <span className="small soft">{effect}</span>
            </Fragment>
          ))}
        </div>
      </div>
    </Card>
  );
}
