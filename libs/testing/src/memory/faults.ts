import type { EventToAppend } from '@ponte/event-sourcing';

/**
 * What may happen to an append. `refuse`: nothing is kept, `EventStoreUnavailable`. `lose-reply`: everything is kept,
 * `AppendOutcomeUnknown`. `drop`: nothing is kept, `AppendOutcomeUnknown`. `delay`: it waits until released, and with
 * it all that come later when the store has one writer. `crash-after-append`: everything is kept, no one is answered
 * any more.
 */
export type FaultKind = 'refuse' | 'lose-reply' | 'drop' | 'delay' | 'crash-after-append';

export interface Fault {
  readonly kind: FaultKind;
  /** The first append that matches is struck; any, when absent. */
  readonly match?: (stream: string, events: readonly EventToAppend[]) => boolean;
  /** It happens when released; a `delay` always waits for that. */
  readonly held?: boolean;
}

export interface ArmedFault {
  /** Resolves when an append was struck. */
  readonly struck: Promise<void>;
  /** Lets a held append go on. */
  release(): void;
}

interface Armed extends Fault {
  readonly strike: () => void;
  readonly released: Promise<void>;
}

/** Faults that wait for their append; each strikes once, in the order they were asked for. */
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

  /** The fault that strikes this append, if any. */
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
