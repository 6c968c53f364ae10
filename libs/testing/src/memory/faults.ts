import type { EventToAppend } from '@ponte/event-sourcing';

/**
 * A fault of an append. `refuse`: nothing is kept, `EventStoreUnavailable`. `lose-reply`: everything is kept,
 * `AppendOutcomeUnknown`. `drop`: nothing is kept, `AppendOutcomeUnknown`. `delay`: it waits until released, and with a
 * sole writer so do all later appends. `crash-after-append`: everything is kept, and no call gets a reply any more.
 */
export type FaultKind = 'refuse' | 'lose-reply' | 'drop' | 'delay' | 'crash-after-append';

export interface Fault {
  readonly kind: FaultKind;
  /** Applies to the first append that matches; without it, to the next one. */
  readonly match?: (stream: string, events: readonly EventToAppend[]) => boolean;
  /** The fault waits until released; a `delay` always does. */
  readonly held?: boolean;
}

interface ArmedFault {
  /** Resolves when the fault has met an append. */
  readonly struck: Promise<void>;
  /** Lets a held append continue. */
  release(): void;
}

interface Armed extends Fault {
  readonly strike: () => void;
  readonly released: Promise<void>;
}

/** The planned faults. Each applies to one append, in the order in which they were planned. */
export class Faults {
  private armed: Armed[] = [];

  next(fault: Fault): ArmedFault {
    let strike = (): void => undefined;
    let release = (): void => undefined;
    const struck = new Promise<void>((resolve) => {
      strike = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waits = fault.held ?? fault.kind === 'delay';
    this.armed.push({ ...fault, strike, released: waits ? released : Promise.resolve() });
    return { struck, release };
  }

  /** Removes and returns the fault for this append, if any. */
  take(
    stream: string,
    events: readonly EventToAppend[],
  ): { readonly kind: FaultKind; readonly released: Promise<void> } | undefined {
    const at = this.armed.findIndex((fault) => fault.match?.(stream, events) ?? true);
    if (at < 0) return undefined;
    const [fault] = this.armed.splice(at, 1) as [Armed];
    fault.strike();
    return fault;
  }
}
