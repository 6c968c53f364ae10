import { RailFailed, RailTimedOut } from '../../ports/pix-charges';

export type RailOperation = 'put-charge' | 'get-charge' | 'remove-charge' | 'get-received' | 'list-received' | 'request-return' | 'get-return';

/** `unheard`: it timed out and was never done; `done`: it timed out after it was done; `error`: the bank said no. */
export type Fault = 'unheard' | 'done' | 'error';

/** How the simulated bank is told to misbehave. All of it is off until asked for. */
export class Misbehaviour {
  private readonly planned = new Map<RailOperation, Fault[]>();
  /** What becomes of callbacks: `held` ones go out when {@link SimulatedBank.releaseCallbacks} is called. */
  callbacks: 'prompt' | 'lost' | 'held' | 'repeated' = 'prompt';
  /** `processing`: a return is taken at once and done when it is next asked for; `not-carried-out`: the bank gives up on it. */
  returns: 'prompt' | 'processing' | 'not-carried-out' = 'prompt';

  /** The next calls of the operation fail, in this order. */
  fail(operation: RailOperation, ...faults: readonly Fault[]): void {
    this.planned.set(operation, [...(this.planned.get(operation) ?? []), ...faults]);
  }

  async around<T>(operation: RailOperation, work: () => T | Promise<T>): Promise<T> {
    const fault = this.planned.get(operation)?.shift();
    if (fault === 'error') throw new RailFailed(operation, 'out of order');
    if (fault === 'unheard') throw new RailTimedOut(operation);
    const result = await work();
    if (fault === 'done') throw new RailTimedOut(operation);
    return result;
  }
}
