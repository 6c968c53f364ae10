import { pause } from '@ponte/concurrency';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';

/** Per group, the pause after a fetch that brought messages, in milliseconds. */
const lingers = new Map<string, number>();
const due = new WeakMap<ConsumerGroup, number>();

const fetch = ConsumerGroup.prototype.fetch;
ConsumerGroup.prototype.fetch = async function paced(this: ConsumerGroup, nodeId: unknown) {
  const wait = (due.get(this) ?? 0) - performance.now();
  if (wait > 0) await pause(wait, undefined, { ref: false });
  const batches = await fetch.call(this, nodeId);
  const brought = broughtBy(batches);
  const lingerMs = lingers.get(this.groupId);
  if (lingerMs !== undefined && brought.some(({ rawMessages }) => rawMessages.length > 0))
    due.set(this, performance.now() + lingerMs);
  return brought;
};

/**
 * The parts of a fetch to process: the partitions with messages or, if there are none, the first one, which shows that
 * the brokers respond. A broker responds for each requested partition, and kafkajs processes each of them in turn,
 * empty or not, with half a dozen awaits and a heartbeat check.
 */
export function broughtBy<B extends { readonly rawMessages: readonly unknown[] }>(batches: readonly B[]): readonly B[] {
  const brought = batches.filter(({ rawMessages }) => rawMessages.length > 0);
  return brought.length > 0 ? brought : batches.slice(0, 1);
}

/**
 * Makes the consumers of a group pause after each fetch that brought messages. Otherwise kafkajs fetches again at once,
 * and a broker responds as soon as it has one message, which under load means nearly one request per message. The first
 * message after an idle time is still delivered at once.
 */
export function paceFetches(group: string, lingerMs: number): void {
  lingers.set(group, lingerMs);
}
