import type { RebuildableView } from '@ponte/read-models';
import type { Engines } from '../engines/engines';
import type { OperatorDuty, TimeReader, OperatorTools } from '@ponte/operator';
import { OperatorError, outcomeOf, timeIn } from '@ponte/operator';
import { placeIn } from './place-in-log';
import { rebuildUnderLease } from './rebuild-under-lease';
import { systemClock } from '../defaults';

const LEASE_PATIENCE_MS = 10_000;

type Parts = Pick<Engines, 'lease' | 'store' | 'views' | 'shadowViews' | 'operator'>;

/** The actions that an operator's process carries out itself while no process of the service runs. */
export function aloneOn(
  parts: Parts,
  views: readonly RebuildableView[],
  timeReaders: readonly TimeReader[],
): OperatorTools['alone'] {
  const duties: Readonly<Record<string, OperatorDuty['carryOut']>> = {
    'views rebuild': ({ views: names = '' }, signal) =>
      rebuildUnderLease(
        parts,
        views.filter(({ name }) => names.split(',').includes(name)),
        signal,
      ),
    'relay rewind': async ({ reader = '', to = '' }) => {
      const ofTime = timeReaders.find(({ name }) => name === reader);
      const position = ofTime ? timeIn(to, systemClock.now()) : await placeIn(parts.store, to);
      const place = ofTime?.placeIn?.(parts.views);
      const lease = ofTime?.lease ?? reader;
      await underLease(parts, { reader, lease }, (fence) =>
        place && position !== undefined ? place.setBack(position) : parts.operator.place(reader, position, fence),
      );
      return `${reader} will continue after ${position ?? 'the beginning of the log'} when its service starts`;
    },
  };
  return (verb) => {
    const carryOut = duties[verb];
    return carryOut && ((subject) => outcomeOf({ can: () => true, carryOut }, subject, new AbortController().signal));
  };
}

/** Runs under the reader's lease, so that a process that starts at this moment does not overwrite the position. */
async function underLease(
  { lease: leases }: Pick<Parts, 'lease'>,
  { reader, lease }: { readonly reader: string; readonly lease: string },
  place: (fence: number) => Promise<void>,
): Promise<void> {
  const grant = await leases.acquire(lease, AbortSignal.timeout(LEASE_PATIENCE_MS));
  if (!grant) throw new OperatorError(`a process that runs ${reader} does not respond; stop it and repeat the command`);
  try {
    await place(grant.fence);
  } finally {
    await grant.release();
  }
}
