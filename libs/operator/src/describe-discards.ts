import type { ParkedEvent } from '@ponte/event-sourcing';
import type { OperatorTools } from './tools';

export const parkedLabel = ({ key, event: { id, type, revision } }: ParkedEvent): string =>
  `${revision} ${type} ${id} of ${key}`;

/** By whom, when and why an event was discarded; undefined if it was not. */
export async function describeDiscards(
  { parkedEvents }: Pick<OperatorTools, 'parkedEvents'>,
  id: string,
  group: string | undefined,
): Promise<string | undefined> {
  const found = (await parkedEvents.discarded(group)).filter(({ event }) => event.id === id);
  const texts = found.map(
    (one) => `${parkedLabel(one)} of ${one.group} at ${one.discardedAt} (${one.actor}: ${one.why})`,
  );
  return texts.length === 0 ? undefined : `discarded before: ${texts.join('; ')}`;
}
