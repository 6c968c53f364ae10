import { whileLeased } from '@ponte/concurrency';
import type { RebuildableReadModel } from '@ponte/read-models';
import { rebuildReadModels } from '@ponte/read-models';
import { OperatorError } from '@ponte/operator';
import type { Engines } from '../engines/engines';

const REBUILD_LEASE = 'read-models-rebuild';
const LEASE_PATIENCE_MS = 5_000;

/** Runs one rebuild at a time per service, because two would use the same shadow tables. */
export async function rebuildUnderLease(
  { lease, store, readModels, shadowReadModels }: Pick<Engines, 'lease' | 'store' | 'readModels' | 'shadowReadModels'>,
  rebuild: readonly RebuildableReadModel[],
  signal: AbortSignal,
): Promise<string> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(LEASE_PATIENCE_MS)]);
  const outcome = await whileLeased(lease, REBUILD_LEASE, patience, async (_, { lost }) => {
    const began = performance.now();
    const ending = AbortSignal.any([signal, lost]);
    const { events, position } = await rebuildReadModels({
      store,
      readModels,
      shadow: shadowReadModels,
      rebuild,
      signal: ending,
    });
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const names = rebuild.map(({ name }) => name).join(', ');
    const reached = position ?? 'none, the log is empty';
    return `${names}: from ${events} events in ${seconds} s, as of position ${reached}`;
  });
  if (outcome === undefined) throw new OperatorError('another rebuild is in progress in this service');
  return outcome;
}
