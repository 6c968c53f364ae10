import type { DeliveryFact } from '@ponte/contracts';
import { DeliveryStarted, DeliverySucceeded } from '@ponte/contracts';
import type { EventToAppend, Recorded } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

type Fact = Pick<EventToAppend, 'id' | 'type' | 'version' | 'data' | 'meta'>;

/** Each is an event of its own, whose command is not looked for in the log. */
const alone = ({ id, type, version, data, meta }: Fact): EventToAppend => ({
  id,
  type,
  version,
  data,
  meta: { ...meta, index: 0, count: 1 },
});

/** What the log is given of a journaled delivery when `events` end it with a success; empty when they do not. */
export function closingEvents(own: readonly Recorded[], events: readonly EventToAppend[]): EventToAppend[] {
  const succeeded = events.find(({ type }) => type === 'DeliverySucceeded');
  if (!succeeded) return [];
  const all: Fact[] = [...own, ...events];
  const scheduled = all.find(({ type }) => type === 'DeliveryScheduled');
  const started = all.findLast(({ type }) => type === 'DeliveryStarted');
  return scheduled && started ? [scheduled, started, succeeded].map(alone) : [];
}

/** What the journal lacks of a delivery that ended in the log; empty when it has not. */
export function healing(own: readonly Recorded[], inLog: readonly Recorded[]): EventToAppend[] {
  const ended = inLog.find(({ type }) => type === 'DeliverySucceeded' || type === 'DeliveredAtOnce');
  if (!ended) return [];
  const facts = own as readonly Recorded<DeliveryFact>[];
  const attempts = facts.filter(({ type }) => type === 'DeliveryStarted').length;
  const open = own.at(-1)?.type === 'DeliveryStarted';
  const { deliveryId, endpointId, accountId, succeededAt, httpStatus } = ended.data as DeliverySucceeded['data'];
  const attempt = open ? attempts : attempts + 1;
  const begun = new DeliveryStarted({ deliveryId, attempt, startedAt: succeededAt });
  const end = new DeliverySucceeded({ deliveryId, endpointId, accountId, attempt, succeededAt, httpStatus });
  const event = (fact: DeliveryStarted | DeliverySucceeded, id: string): EventToAppend =>
    alone({ id, type: fact.type, version: 1, data: fact.data, meta: ended.meta });
  return [...(open ? [] : [event(begun, derivedId('delivery-healed', ended.id))]), event(end, ended.id)];
}
