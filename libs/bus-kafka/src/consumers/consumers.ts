import { categoryOf } from '@ponte/event-sourcing';
import type { ConsumerOptions } from '@ponte/event-sourcing';
import { RETRIES } from '@ponte/bus-in-process';
import type { KeyedQueue } from '@ponte/concurrency';
import { Delivery } from './delivery';
import type { Names } from '../names';
import type { KafkaBusOptions, KafkaLimits } from '../options';
import type { TakenMessage } from '../partitions/taken-message';
import { deadLetterHeaders } from '../requests/fan-out';
import type { Sender } from '../sender';

interface ConsumersParts {
  readonly bus: KafkaBusOptions;
  readonly limits: KafkaLimits;
  readonly name: Names;
  readonly queue: KeyedQueue;
  readonly sender: Sender;
}

/** The consumers of a process: one for each group and each service whose events the group consumes. */
export class Consumers {
  readonly deliveries: Delivery[] = [];

  constructor(private readonly parts: ConsumersParts) {}

  add(options: ConsumerOptions): void {
    const { bus, queue } = this.parts;
    if (!bus.serviceCategories[options.service]) throw new Error(`unknown service ${options.service}`);
    const same = ({ options: one }: Delivery): boolean =>
      one.group === options.group && one.service === options.service;
    if (this.deliveries.some(same)) throw new Error(`group ${options.group} already consumes ${options.service}`);
    this.deliveries.push(
      new Delivery(
        {
          parked: bus.parkedEvents,
          log: bus.log,
          queue,
          logger: bus.logger,
          systemNow: bus.systemNow,
          retries: bus.retries ?? RETRIES,
          observer: bus.observer,
          deadLetter: (taken, group, reason) => this.deadLetter(taken, group, reason),
          isOurs: (one, key) => this.of(one.group, key)?.options === one,
        },
        options,
      ),
    );
  }

  /** The delivery that passes events of a stream to a group. */
  of(group: string, key: string): Delivery | undefined {
    const { serviceCategories } = this.parts.bus;
    return this.deliveries.find(
      ({ options }) => options.group === group && (serviceCategories[options.service] ?? []).includes(categoryOf(key)),
    );
  }

  /** Sends a copy of an event's message to the dead letters. */
  async deadLetter(taken: TakenMessage, group: string, reason: string): Promise<void> {
    const { bus, limits, name, sender } = this.parts;
    const { key, value } = taken.message;
    const now = bus.systemNow();
    const headers = deadLetterHeaders(taken, group, reason, new Date(now).toISOString());
    await sender.send(name.deadLetters(bus.service), { key, value, headers }, now + limits.requestMs);
  }
}
