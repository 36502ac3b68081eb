import { StringDecoder } from 'node:string_decoder';

/**
 * Cuts what a program writes into lines, at line feeds alone: `readline` also cuts at U+2028 and U+2029, which may stand
 * anywhere in a text of JSON. What is longer than a line may be is not kept, and nothing after it is looked at.
 */
export class Lines {
  readonly #take: (line: string) => void;
  readonly #longest: number;
  readonly #tooLong: () => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest: string[] = [];
  #restLength = 0;
  #isOver = false;

  constructor(take: (line: string) => void, longest: number, tooLong: () => void) {
    this.#take = take;
    this.#longest = longest;
    this.#tooLong = tooLong;
  }

  add(chunk: Buffer): void {
    if (!this.#isOver) this.#cut(this.#decoder.write(chunk));
  }

  /** What follows is not looked at. */
  stop(): void {
    this.#isOver = true;
    this.#rest = [];
  }

  /** Nothing follows: a last line need not have an end. */
  end(): void {
    if (this.#isOver) return;
    const last = this.#rest.join('') + this.#decoder.end();
    this.stop();
    if (last !== '') this.#take(withoutReturn(last));
  }

  #cut(text: string): void {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      const whole = [...this.#rest, line].join('');
      this.#rest = [];
      this.#restLength = 0;
      this.#take(withoutReturn(whole));
      if (this.#isOver) return;
    }
    this.#restLength += last.length;
    if (last !== '') this.#rest.push(last);
    if (this.#restLength <= this.#longest) return;
    this.stop();
    this.#tooLong();
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
