import { StringDecoder } from 'node:string_decoder';

/**
 * Splits the output of a program into lines, at line feeds only: `readline` also splits at U+2028 and U+2029, which may occur anywhere in
 * JSON. A line that is too long is dropped, and so is everything after it.
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

  /** Ignores the rest. */
  stop(): void {
    this.#isOver = true;
    this.#rest = [];
  }

  /** The stream has ended: the last line needs no line feed. */
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
