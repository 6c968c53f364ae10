import type { Provider } from '@nestjs/common';
import type { Timers } from '@ponte/concurrency';
import type { EdgeState } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK_SKEW, EDGE_STATE, SYSTEM_CLOCK, TIMERS } from '@ponte/nest';
import { KeyLookUps } from './key-look-ups.service';
import { ResolvePixKeyHandler } from './resolve-pix-key.query';
import { WhenWithdrawalCompletedGiveLookUpBack } from './when-withdrawal-completed-give-look-up-back.policy';

const SWEEP_EVERY_MS = 3_600_000;

/** The look-ups of Pix keys for requests of clients. */
export const KEY_DIRECTORY_PROVIDERS: readonly Provider[] = [
  KeyLookUps,
  ResolvePixKeyHandler,
  {
    provide: Symbol('sweeping'),
    inject: [TIMERS, EDGE_STATE, SYSTEM_CLOCK, CLOCK_SKEW],
    /** Deletes full buckets, but not while the clock is wrong: they may only seem to be full. */
    useFactory: (timers: Timers, edgeState: EdgeState, clock: Clock, clockSkew: { readonly isSane: boolean }) =>
      timers.every('ledger-sweep-look-ups', SWEEP_EVERY_MS, async () => {
        if (clockSkew.isSane) await edgeState.sweep(clock.now());
      }),
  },
];
export const KEY_DIRECTORY_POLICIES = [WhenWithdrawalCompletedGiveLookUpBack] as const;
