import type { Position } from '@ponte/event-sourcing';
import type { Step } from './feed';
import { bytesBetween, comparePositions, isAtLeast } from './position';

const MAX_STEPS = 8_192;
/** Of the log: positions are byte offsets. */
const MAX_BYTES = 16 * 1_024 * 1_024;
/** Dropped steps are removed together. */
const SWEEP = 4_096;

/** The last events of the log, without a gap from `floor` to `last`. */
export class Window {
  private steps: Step[] = [];
  private dropped = 0;
  floor: Position | undefined;
  last: Position | undefined;

  /** Empty, at a place of the log; undefined is its beginning. */
  reset(at: Position | undefined): void {
    this.steps = [];
    this.dropped = 0;
    this.floor = this.last = at;
  }

  add(step: Step): void {
    if (this.last !== undefined && comparePositions(step.position, this.last) <= 0) return;
    this.last = step.position;
    this.steps.push(step);
    let first = this.steps[this.dropped];
    while (
      first &&
      (this.steps.length - this.dropped > MAX_STEPS || bytesBetween(first.position, step.position) > MAX_BYTES)
    ) {
      this.floor = first.position;
      this.dropped += 1;
      first = this.steps[this.dropped];
    }
    if (this.dropped < SWEEP) return;
    this.steps = this.steps.slice(this.dropped);
    this.dropped = 0;
  }

  /** Whether everything behind a place is here, or yet to come. */
  covers(position: Position | undefined): boolean {
    return isAtLeast(position, this.floor);
  }

  /** The steps behind a place that it covers, at most so many. */
  after(position: Position | undefined, most: number): readonly Step[] {
    let [low, high] = [this.dropped, this.steps.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (position !== undefined && comparePositions((this.steps[middle] as Step).position, position) <= 0)
        low = middle + 1;
      else high = middle;
    }
    return this.steps.slice(low, low + most);
  }
}
