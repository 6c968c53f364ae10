import type { Position } from '@ponte/event-sourcing';
import type { Step } from './feed';
import { bytesBetween, comparePositions, isAtLeast } from './position';

const MAX_STEPS = 8_192;
/** Size in bytes of the log: positions are byte offsets. */
const MAX_BYTES = 16 * 1_024 * 1_024;
/** Dropped steps are removed in groups of this size. */
const SWEEP = 4_096;

/** The latest events of the log, without gaps between `floor` and `last`. */
export class Window {
  private steps: Step[] = [];
  private dropped = 0;
  floor: Position | undefined;
  last: Position | undefined;

  /** Empties the window at a position; undefined is the beginning of the log. */
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

  /** Whether everything after a position is in the window or still to come. */
  covers(position: Position | undefined): boolean {
    return isAtLeast(position, this.floor);
  }

  /** The steps after a covered position, up to a limit. */
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
