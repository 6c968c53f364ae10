import type { Recorded, RequestContext } from '@ponte/event-sourcing';
import { command } from '@ponte/event-sourcing';
import type { TestBroker } from '@ponte/testing';
import { freshId, sayEngine, startBroker } from '@ponte/testing';
import { CATEGORY, ClusterUnderTest, SERVICE } from './cluster.testing';
import { toEnvelope } from './envelope';
import type { KafkaBus } from './message-bus';
import type { KafkaBusOptions } from './options';

export const STARTUP_MS = 240_000;
/** A killed member is replaced after its session ends, a killed broker after it has restarted. */
export const REPLACED_MS = 40_000;
export const PATIENT_MS = 120_000;

export const Ask = command<{ readonly n: number }, { readonly n: number }>(SERVICE, 'ask', ({ n }) => `key-${n}`);
export const context = (deadline?: number): RequestContext => ({
  commandId: freshId(),
  correlationId: freshId(),
  deadline,
});
export const stream = (): string => `${CATEGORY}-${freshId()}`;
export const say = ({ data }: Recorded): string => String((data as { say?: string }).say);

export let broker: TestBroker;
export let cluster: ClusterUnderTest;

/** Starts a broker for a block of tests, and a cluster on it for each test. */
export function brokerUnderTest(): void {
  beforeAll(async () => {
    broker = await startBroker();
  }, STARTUP_MS);
  afterAll(async () => {
    sayEngine('Kafka', broker.name);
    await broker.stop();
  });
  beforeEach(() => {
    cluster = new ClusterUnderTest(broker);
  });
  afterEach(() => cluster.cleanUp(), REPLACED_MS);
}

export const consuming = async (
  consume: (event: Recorded) => Promise<void>,
  options: Partial<KafkaBusOptions> = {},
): Promise<KafkaBus> => {
  const bus = cluster.bus(options);
  bus.consume({ group: 'g', service: SERVICE, consume });
  await bus.start();
  return bus;
};
export const answering = async (options: Partial<KafkaBusOptions> = {}): Promise<KafkaBus> => {
  const bus = cluster.bus(options);
  bus.handle(Ask.pattern, async (payload) => payload);
  await bus.start();
  return bus;
};
export const asking = async (options: Partial<KafkaBusOptions> = {}): Promise<KafkaBus> => {
  const bus = cluster.bus({ service: 'asker', ...options });
  await bus.start();
  return bus;
};
/** Records the revisions of each stream, in the order of their arrival. */
export const recorder = () => {
  const seen = new Map<string, number[]>();
  return {
    seen,
    note: ({ stream: of, revision }: Recorded): void => {
      seen.set(of, [...(seen.get(of) ?? []), revision]);
    },
  };
};
/** Expects that, ignoring repetitions, each stream's events arrived in order and completely. */
export const expectWhole = (
  seen: ReadonlyMap<string, readonly number[]>,
  streams: readonly string[],
  length: number,
): void => {
  for (const one of streams) expect([...new Set(seen.get(one))]).toEqual([...Array(length).keys()]);
};

/** Publishes events as a relay does. */
export async function send(events: readonly Recorded[]): Promise<void> {
  const producer = cluster.client.producer();
  await producer.connect();
  await producer.send({
    topic: `${cluster.namespace}${SERVICE}.events`,
    messages: events.map((event) => ({ key: event.stream, value: toEnvelope(SERVICE, event) })),
  });
  await producer.disconnect();
}
