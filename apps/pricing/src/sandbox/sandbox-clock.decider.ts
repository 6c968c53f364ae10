import type { SandboxTime } from '@ponte/contracts';
import { BusinessTimeAdvanced, SANDBOX_CLOCK_CATEGORY } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';

/** Advances business time by seconds or to a time. `systemNow` is the machine's, in epoch milliseconds. */
export type AdvanceRequest = { readonly bySeconds: number } | { readonly to: number; readonly systemNow: number };

/** A hundred years: enough for any test, and it keeps times far below five-digit years. */
export const MAX_AHEAD_MS = 100 * 366 * 24 * 60 * 60 * 1000;

/** Stream `sandboxClock-business`. Time never goes back: a command for a time that has passed changes nothing. */
export const sandboxClock: Decider<AdvanceRequest, SandboxTime, BusinessTimeAdvanced> = {
  category: SANDBOX_CLOCK_CATEGORY,
  initial: { aheadMs: 0 },
  events: [BusinessTimeAdvanced],
  decide(request, { aheadMs }) {
    const wanted = 'to' in request ? request.to - request.systemNow : aheadMs + request.bySeconds * 1000;
    if (wanted > MAX_AHEAD_MS)
      return refuse(
        'invalid-format',
        'business time may be at most a hundred years ahead of the system clock',
        'to' in request ? 'until' : 'seconds',
      );
    return wanted > aheadMs ? [new BusinessTimeAdvanced({ aheadMs: wanted })] : [];
  },
  evolve: (_, event) => event.data,
};
