import type { MayRelease, ParkedEvent } from '@ponte/event-sourcing';
import { isLeftOut, ReleaseRefused } from '@ponte/event-sourcing';
import type { OperatorDuty } from '@ponte/operator';
import { OperatorError, releaseByReason, someOf } from '@ponte/operator';
import type { Engines } from '../engines/engines';

type Parts = Pick<Engines, 'parkingLot' | 'systemClock'>;

/** Releases the parked events of one stream. `gap` names missing events that are left out. */
export const releaseDuty = ({ parkingLot, systemClock }: Parts): OperatorDuty => ({
  can: ({ group = '', key = '' }) => parkingLot.consumes(group, key),
  async carryOut({ group = '', key = '', gap }, signal, action) {
    const waiting = () => parkingLot.list(group, key);
    const parked = await waiting();
    // What an interrupted release began to leave out is discarded, not handled.
    const before = parked.filter((one) => !isLeftOut(one)).map(named);
    if (parked.length === 0) return `${group} has no parked event of ${key}: it was released before or never parked`;
    try {
      const discard = {
        actor: action?.actor ?? 'unknown',
        why: action?.reason ?? '',
        discardedAt: new Date(systemClock.now()).toISOString(),
      };
      const leftOut = gap === undefined ? undefined : { revisions: gap, discard };
      await parkingLot.release(group, key, undefined, leftOut, signal);
    } catch (error) {
      const left = await waiting();
      const leftNames = new Set(left.map(named));
      const handled = `${before.filter((one) => !leftNames.has(one)).length} of ${before.length} handled`;
      if (error instanceof ReleaseRefused)
        throw new OperatorError(`${handled}; the rest stays parked: ${error.message}`, { cause: error });
      const failuresBefore = new Map(parked.map((one) => [one.event.id, failures(one)]));
      const tried = left.find((one) => failures(one) > (failuresBefore.get(one.event.id) ?? 0));
      const outcome = tried
        ? `${named(tried)} failed again (${nameOf(error)}); it and the events behind it stay parked`
        : `the release itself failed (${nameOf(error)}); the rest stays parked, repeat the command`;
      throw new OperatorError(`${handled}; then ${outcome}`, { cause: error });
    }
    const leftOut = gap === undefined ? '' : `; revisions ${gap} were discarded, "parked discarded" lists them`;
    return `${before.length} handled in order: ${someOf(before)}${leftOut}`;
  },
});

/** Releases all streams that are parked for a reason. */
export const bulkReleaseDuty = ({ parkingLot }: Pick<Parts, 'parkingLot'>): OperatorDuty => ({
  can: ({ group = '', key = '' }) => parkingLot.consumes(group, key),
  async carryOut({ group = '', text = '' }, signal) {
    const parked = (await parkingLot.list(group)).filter(({ key }) => parkingLot.consumes(group, key));
    const release = (key: string, mayRelease: MayRelease) =>
      parkingLot.release(group, key, mayRelease, undefined, signal);
    return releaseByReason({ group, parked, text, release });
  },
});

const named = ({ event: { id, type, revision } }: ParkedEvent): string => `${revision} ${type} ${id}`;

/** How often a parked event has failed in a release. */
const failures = (parked: ParkedEvent): number => parked.failedAgain?.times ?? 0;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
