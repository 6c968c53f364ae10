import type { Step } from '../transactions';

/**
 * A step on its way to a thread: the number of its statement, and the text with the first use of it. Number 0 with a
 * text begins all numbers again.
 */
export type NumberedStep = readonly [number: number, parameters: readonly unknown[], text?: string];

/** Texts that have a number; those of a running system are few, those of ad-hoc filters a few hundred. */
const MOST = 500;

/**
 * Sends the text of a statement once: that of a view's row is longer than the row, and would be copied and hashed with
 * each.
 */
export class StatementNumbers {
  private readonly known = new Map<string, number>();

  numbered([sql, parameters]: Step): NumberedStep {
    const known = this.known.get(sql);
    if (known !== undefined) return [known, parameters];
    if (this.known.size >= MOST) this.known.clear();
    const number = this.known.size;
    this.known.set(sql, number);
    return [number, parameters, sql];
  }

  /** What was numbered last may not have arrived. */
  restart(): void {
    this.known.clear();
  }
}

/**
 * The other side: puts the texts back, in the order of the steps. The thread runs this from its text, see
 * `writer-program.ts`: nothing outside of the function may be named in it but types and globals.
 */
export function textsByNumber(): (step: NumberedStep) => Step {
  const texts: string[] = [];
  return ([number, parameters, text]) => {
    if (text !== undefined) {
      if (number === 0) texts.length = 0;
      texts[number] = text;
    }
    return [texts[number] as string, parameters];
  };
}
