import type { DeliveryEvent } from '@ponte/contracts';
import { DeliveryReplayed, DeliveryStarted, DeliverySucceeded } from '@ponte/contracts';
import type { EventToAppend, Recorded } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

type Fact = Pick<EventToAppend, 'id' | 'type' | 'version' | 'data' | 'meta'>;

/** Makes an event the only one of its command, because the other events of the command are not in the log. */
const alone = ({ id, type, version, data, meta }: Fact): EventToAppend => ({
  id,
  type,
  version,
  data,
  meta: { ...meta, index: 0, count: 1 },
});

/** The events to append to the log when `events` end a journaled delivery with a success; empty otherwise. */
export function closingEvents(own: readonly Recorded[], events: readonly EventToAppend[]): EventToAppend[] {
  const succeeded = events.find(({ type }) => type === 'DeliverySucceeded');
  if (!succeeded) return [];
  const all: Fact[] = [...own, ...events];
  const scheduled = all.find(({ type }) => type === 'DeliveryScheduled');
  const started = all.findLast(({ type }) => type === 'DeliveryStarted');
  return scheduled && started ? [scheduled, started, succeeded].map(alone) : [];
}

/**
 * The events that the journal lacks when the delivery succeeded in the log; empty when it lacks none. The success
 * belongs to the running attempt, or to one more attempt. A delivery that had failed permanently is replayed first.
 */
export function missingEvents(own: readonly Recorded[], inLog: readonly Recorded[]): EventToAppend[] {
  const ended = inLog.find(({ type }) => type === 'DeliverySucceeded' || type === 'DeliveredAtOnce');
  const last = own.at(-1) as Recorded<DeliveryEvent> | undefined;
  if (!ended || !last || last.type === 'DeliverySucceeded') return [];
  const { deliveryId, endpointId, accountId, succeededAt, httpStatus } = ended.data as DeliverySucceeded['data'];
  const ids = { deliveryId, endpointId, accountId };
  const begun = own.filter(({ type }) => type === 'DeliveryStarted').length;
  const underWay = last.type === 'DeliveryStarted';
  const attempt = underWay ? begun : begun + 1;
  const failed = last.type === 'DeliveryAttemptFailed' && last.data.nextAt === null;
  const missing = [
    ...(failed ? [new DeliveryReplayed({ ...ids, after: null, replayedAt: succeededAt })] : []),
    ...(underWay ? [] : [new DeliveryStarted({ deliveryId, attempt, startedAt: succeededAt })]),
    new DeliverySucceeded({ ...ids, attempt, succeededAt, httpStatus }),
  ];
  return missing.map(({ type, data }) =>
    alone({
      id: type === 'DeliverySucceeded' ? ended.id : derivedId('delivery-completed', ended.id, type),
      type,
      version: 1,
      data,
      meta: ended.meta,
    }),
  );
}
