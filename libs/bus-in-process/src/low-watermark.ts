import type { Position } from '@ponte/event-sourcing';

interface Step {
  readonly position: Position;
  done: boolean;
}

const CUT = 1_024;

/** Knows the lowest unfinished place of a reader that finishes its events in any order. */
export class LowWatermark {
  private readonly steps: Step[] = [];
  private from = 0;
  /** Steps that have not ended. */
  unfinished = 0;
  /** Everything up to here is finished; undefined at the beginning. */
  finished: Position | undefined;

  constructor(position: Position | undefined) {
    this.finished = position;
  }

  /** Begins a step; the function that is returned ends it. Positions come in log order. */
  begin(position: Position): () => void {
    const step: Step = { position, done: false };
    this.steps.push(step);
    this.unfinished += 1;
    return () => {
      step.done = true;
      this.unfinished -= 1;
      this.advance();
    };
  }

  /** Steps, ended or not, behind the lowest that has not: so many come again after a crash. */
  get behind(): number {
    return this.steps.length - this.from;
  }

  private advance(): void {
    for (let step = this.steps[this.from]; step?.done; step = this.steps[this.from]) {
      this.finished = step.position;
      this.from += 1;
    }
    // Cutting off the front now and then keeps both the memory and the cost of a step small.
    if (this.from > CUT || this.from === this.steps.length) {
      this.steps.splice(0, this.from);
      this.from = 0;
    }
  }
}
