import type { MayRelease } from '@ponte/event-sourcing';
import { ReleaseRefused } from '@ponte/event-sourcing';
import type { OperatorDuty } from '@ponte/operator';
import { OperatorError, releaseByReason } from '@ponte/operator';
import type { Engines } from '../engines/engines';

type Parts = Pick<Engines, 'parkingLot' | 'systemClock'>;

/** Releases the parked events of one stream. `gap` names missing events that are left out. */
export const releaseDuty = ({ parkingLot, systemClock }: Parts): OperatorDuty => ({
  can: ({ group = '', key = '' }) => parkingLot.consumes(group, key),
  async carryOut({ group = '', key = '', gap }, _signal, asked) {
    const waiting = async () =>
      (await parkingLot.list(group))
        .filter((one) => one.key === key)
        .map(({ event: { id, type, revision } }) => `${revision} ${type} ${id}`);
    const before = await waiting();
    if (before.length === 0) return `${group} has no parked event of ${key}: it was released before or never parked`;
    try {
      const discard = {
        actor: asked?.actor ?? 'unknown',
        why: asked?.reason ?? '',
        discardedAt: new Date(systemClock.now()).toISOString(),
      };
      await parkingLot.release(group, key, undefined, gap === undefined ? undefined : { revisions: gap, discard });
    } catch (error) {
      const left = await waiting();
      const handled = `${before.filter((one) => !left.includes(one)).length} of ${before.length} handled`;
      if (error instanceof ReleaseRefused)
        throw new OperatorError(`${handled}; the rest stays parked: ${error.message}`, { cause: error });
      throw new OperatorError(
        `${handled}; then ${left[0] ?? 'one'} failed again ` +
          `(${nameOf(error)}); it and the events behind it stay parked`,
        { cause: error },
      );
    }
    const leftOut = gap === undefined ? '' : `; revisions ${gap} were discarded, "parked discarded" lists them`;
    return `${before.length} handled in order: ${before.join(', ')}${leftOut}`;
  },
});

/** Releases all streams that are parked for a reason. */
export const bulkReleaseDuty = ({ parkingLot }: Pick<Parts, 'parkingLot'>): OperatorDuty => ({
  can: ({ group = '', key = '' }) => parkingLot.consumes(group, key),
  async carryOut({ group = '', text = '' }) {
    const parked = (await parkingLot.list(group)).filter(({ key }) => parkingLot.consumes(group, key));
    const release = (key: string, mayRelease: MayRelease) => parkingLot.release(group, key, mayRelease);
    return releaseByReason({ group, parked, text, release });
  },
});

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
