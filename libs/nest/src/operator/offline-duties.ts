import { whileLeased } from '@ponte/concurrency';
import type { RebuildableReadModel } from '@ponte/read-models';
import { rebuildNamed } from '@ponte/read-models';
import type { Engines } from '../engines/engines';
import type { OperatorDuty, TimeReader, OperatorTools } from '@ponte/operator';
import { OperatorError, outcomeOf, START } from '@ponte/operator';
import { moveBack } from './move-back';
import { rebuildUnderLease } from './rebuild-under-lease';

const LEASE_PATIENCE_MS = 10_000;

type Parts = Pick<Engines, 'lease' | 'store' | 'readModels' | 'shadowReadModels' | 'operator'>;

/** The actions that an operator's process executes itself while no process of the service runs. */
export function offlineDuties(
  parts: Parts,
  readModels: readonly RebuildableReadModel[],
  timeReaders: readonly TimeReader[],
): OperatorTools['offlineDuty'] {
  const duties: Readonly<Record<string, OperatorDuty['carryOut']>> = {
    'read-models rebuild': (subject, signal) =>
      rebuildUnderLease(parts, rebuildNamed(subject, readModels) ?? [], signal),
    'relay rewind': async ({ reader = '', to = '' }) => {
      const ofTime = timeReaders.find(({ name }) => name === reader);
      const moved = {
        name: reader,
        keepsTime: ofTime !== undefined,
        ownPosition: ofTime?.positionIn?.(parts.readModels),
      };
      await underLease(parts, { reader, lease: ofTime?.lease ?? reader }, await moveBack(parts, moved, to));
      return `${reader} will continue after ${to === START ? 'the beginning of the log' : to} when its service starts`;
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
  move: (fence: number) => Promise<void>,
): Promise<void> {
  const patience = AbortSignal.timeout(LEASE_PATIENCE_MS);
  const isMoved = await whileLeased(leases, lease, patience, (_, { fence }) => move(fence).then(() => true));
  if (!isMoved)
    throw new OperatorError(`a process that runs ${reader} does not respond; stop it and repeat the command`);
}
