import type { RebuildableView } from '@ponte/engines';
import type { Engines } from '../engines';
import type { OperatorDuty } from './desk';
import { OperatorFault, outcomeOf } from './desk';
import { placeIn, rebuildUnderLease } from './duties';
import type { OperatorTools } from './tools';

const LEASE_PATIENCE_MS = 10_000;

type Parts = Pick<Engines, 'lease' | 'store' | 'views' | 'viewsBeside' | 'operator'>;

/** What the process of an operator's verb does itself, when none of the service runs. */
export function aloneOn(parts: Parts, views: readonly RebuildableView[]): OperatorTools['alone'] {
  const duties: Readonly<Record<string, OperatorDuty['carryOut']>> = {
    'views rebuild': ({ views: names = '' }, signal) => rebuildUnderLease(parts, views.filter(({ name }) => names.split(',').includes(name)), signal),
    'relay rewind': ({ reader = '', to = '' }) => rewind(parts, reader, to),
  };
  return (verb) => {
    const carryOut = duties[verb];
    return carryOut && ((subject) => outcomeOf({ can: () => true, carryOut }, subject, new AbortController().signal));
  };
}

/** Under the lease of the reader, so that none that starts at this moment writes over it. */
async function rewind({ lease, store, operator }: Parts, reader: string, to: string): Promise<string> {
  const position = await placeIn(store, to);
  const grant = await lease.acquire(reader, AbortSignal.timeout(LEASE_PATIENCE_MS));
  if (!grant) throw new OperatorFault(`a process holds ${reader} and does not answer; end it, then ask again`);
  try {
    await operator.place(reader, position, grant.fence);
  } finally {
    await grant.release();
  }
  return `${reader} goes on after ${position ?? 'the beginning of the log'} when its service starts`;
}
