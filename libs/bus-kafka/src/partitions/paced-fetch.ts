import { pause } from '@ponte/concurrency';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';

/** By group: how long after messages came the brokers are asked again, milliseconds. */
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
 * What of a fetch is handed over. A broker answers for each partition that was asked for, and kafkajs hands all of them
 * to their handler, one after the other, with half a dozen awaits and a look at the heartbeat for each, whether it
 * brought anything or not: those that did, or one that says that the brokers answer.
 */
export function broughtBy<B extends { readonly rawMessages: readonly unknown[] }>(batches: readonly B[]): readonly B[] {
  const brought = batches.filter(({ rawMessages }) => rawMessages.length > 0);
  return brought.length > 0 ? brought : batches.slice(0, 1);
}

/**
 * Lets the consumers of a group take a breath after each fetch that brought something. kafkajs asks again at once, and
 * a broker answers as soon as it has one message: under load that is a request for nearly each. What comes first after
 * a pause is still handed over at once.
 */
export function paceFetches(group: string, lingerMs: number): void {
  lingers.set(group, lingerMs);
}
