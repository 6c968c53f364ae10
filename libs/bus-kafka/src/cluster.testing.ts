import type { Consumer } from 'kafkajs';
import { Kafka, logLevel } from 'kafkajs';
import type { Checkpoints, Lease, Position } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import type { BusUnderTest, TestBroker } from '@ponte/testing';
import { CutWire, freshId, MemoryEventStore, MemoryParkedEvents } from '@ponte/testing';
import { createLocalLease } from '@ponte/eventstore-sqlite';
import type { Projector } from '@ponte/read-models';
import type { KafkaBus } from './message-bus';
import { createKafkaBus } from './message-bus';
import type { KafkaBusOptions } from './options';
import type { RelayOptions } from './requests/relay';
import { createRelay } from './requests/relay';

export const SERVICE = 'contract';
export const CATEGORY = 'thing';
/** Three attempts in quick succession. */
const RETRIES = { failed: [5, 5], unexpected: [5, 5], unavailable: [5, 5] };

interface Logged {
  readonly level: 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

/** Services on a real broker with a namespace of their own; their other state is in memory. */
export class ClusterUnderTest {
  readonly namespace = `${freshId()}.`;
  readonly store = new MemoryEventStore();
  readonly logged: Logged[] = [];
  readonly logger = {
    warn: (fields: object, message: string): void => void this.logged.push({ level: 'warn', fields, message }),
    error: (fields: object, message: string): void => void this.logged.push({ level: 'error', fields, message }),
  };
  readonly parkedEvents = new MemoryParkedEvents();
  /** The checkpoint of the relay. */
  readonly checkpoints: Checkpoints & { position: Position | undefined } = {
    position: undefined,
    load: async () => this.checkpoints.position,
    save: async (_reader, position) => {
      this.checkpoints.position = position;
      return true;
    },
  };
  readonly client: Kafka;
  private readonly lease: Lease;
  private readonly buses: KafkaBus[] = [];
  private readonly relays: Projector[] = [];
  private readonly consumers: Consumer[] = [];

  constructor(readonly broker: TestBroker) {
    this.client = new Kafka({
      brokers: [...broker.brokers],
      logLevel: logLevel.NOTHING,
      retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 30 },
    });
    let fence = 0;
    this.lease = createLocalLease(() => (fence += 1));
  }

  bus(options: Partial<KafkaBusOptions> = {}): KafkaBus {
    const bus = createKafkaBus({
      connection: { brokers: this.broker.brokers },
      service: SERVICE,
      instance: freshId(),
      systemNow: () => Date.now(),
      logger: this.logger,
      serviceCategories: { [SERVICE]: [CATEGORY] },
      parkedEvents: this.parkedEvents,
      namespace: this.namespace,
      retries: RETRIES,
      callOwn: false,
      ...options,
      topics: { partitions: 4, ...options.topics },
      limits: { stopMs: 3_000, commitEveryMs: 50, ...options.limits },
    });
    this.buses.push(bus);
    return bus;
  }

  relay(options: Partial<RelayOptions> = {}): Projector {
    const relay = createRelay({
      connection: { brokers: this.broker.brokers },
      service: SERVICE,
      categories: [CATEGORY],
      store: this.store,
      checkpoints: this.checkpoints,
      lease: this.lease,
      systemNow: () => Date.now(),
      logger: this.logger,
      namespace: this.namespace,
      topics: { partitions: 4 },
      ...options,
    });
    this.relays.push(relay);
    return relay;
  }

  /** Appends events to a stream, after its existing ones. */
  async publish(stream: string, events: Parameters<BusUnderTest['publish']>[1]): Promise<void> {
    const before = await this.store.read(stream);
    await this.store.append(stream, before.at(-1)?.revision ?? NO_STREAM, events);
  }

  /** Reads a topic from its beginning. */
  async read(topic: string): Promise<{ key: string; value: string; headers: Record<string, string> }[]> {
    const messages: { key: string; value: string; headers: Record<string, string> }[] = [];
    const consumer = this.client.consumer({ groupId: `${this.namespace}reader.${freshId()}`, maxWaitTimeInMs: 50 });
    this.consumers.push(consumer);
    await consumer.connect();
    await consumer.subscribe({ topics: [`${this.namespace}${topic}`], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message: { key, value, headers } }) => {
        const texts = Object.entries(headers ?? {}).map(([name, text]) => [name, String(text)] as const);
        messages.push({ key: String(key), value: String(value), headers: Object.fromEntries(texts) });
      },
    });
    return messages;
  }

  async topics(): Promise<string[]> {
    return this.administer(async (admin) =>
      (await admin.listTopics())
        .filter((topic) => topic.startsWith(this.namespace))
        .map((topic) => topic.slice(this.namespace.length)),
    );
  }

  async administer<T>(work: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> {
    const admin = this.client.admin();
    await admin.connect();
    return work(admin).finally(() => admin.disconnect());
  }

  async cleanUp(): Promise<void> {
    await Promise.all([...this.buses, ...this.relays].map((one) => one.stop()));
    await Promise.all(this.consumers.map((consumer) => consumer.disconnect()));
    await this.store.close();
    // A topic that its process is deleting just now may still be listed.
    await this.administer(async (admin) => {
      for (const topic of await this.topics())
        await admin.deleteTopics({ topics: [this.namespace + topic] }).catch(() => undefined);
    });
  }
}

/** A bus on the brokers for the contract suite. Its events come from a log in memory through a relay. */
export async function busUnderTest(broker: TestBroker): Promise<BusUnderTest> {
  const cluster = new ClusterUnderTest(broker);
  cluster.relay();
  const open = (): BusUnderTest => {
    const wire = new CutWire();
    const bus = cluster.bus({ connection: { brokers: broker.brokers, socketFactory: wire.socketFactory } });
    return {
      bus,
      parkingLot: bus,
      service: SERVICE,
      category: CATEGORY,
      tries: RETRIES.failed.length + 1,
      travelMs: 2_000,
      now: () => Date.now(),
      publish: (stream, events) => cluster.publish(stream, events),
      restart: async (how) => {
        // The connection is cut, so that the bus sends nothing more to the brokers, as if its process had died. Its
        // consumers still exist in this process, which the test must allow for.
        if (how === 'crash') wire.break();
        const stopped = bus.stop();
        if (how === 'stop') await stopped;
        return open();
      },
      cleanUp: () => cluster.cleanUp(),
    };
  };
  return open();
}
