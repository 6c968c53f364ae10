import type { Logger } from 'pino';
import type { KafkaBus, KafkaConnection, TopicSettings } from '@ponte/bus-kafka';
import { createKafkaBus, createRelay } from '@ponte/bus-kafka';
import { COMPLIANCE_REVIEWS, levelOfRequest, reviewNotice, SERVICE_CATEGORIES, SERVICES } from '@ponte/contracts';
import type { EventStore, Lease } from '@ponte/event-sourcing';
import type { Metrics, Tracing } from '@ponte/observability';
import { KafkaCounts, relayCounts, tracedRelay } from '@ponte/observability';
import type { Projector } from '@ponte/read-models';
import { systemClock } from '../clocks';
import type { Engines } from './engines';
import type { KafkaSettings } from '../kafka-settings';
import type { RemoteEngines } from './remote-engines';

interface BrokerParts {
  readonly remote: RemoteEngines;
  readonly service: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly state: Pick<Engines, 'checkpoints' | 'parkedEvents'>;
}

/** The bus of one process of a service. */
export const openKafkaBus = (parts: BrokerParts & { readonly log: EventStore }): KafkaBus =>
  createKafkaBus({
    ...onBrokers(parts),
    log: parts.log,
    observer: new KafkaCounts(parts.metrics),
    instance: parts.remote.instance,
    serviceCategories: SERVICE_CATEGORIES,
    levelOf: levelOfRequest,
    parkedEvents: parts.state.parkedEvents,
  });

/** Creates the relay that publishes a service's events; undefined for a service that owns no streams. */
export function openRelay(
  parts: BrokerParts & { readonly store: EventStore; readonly lease: Lease; readonly tracing: Tracing },
): Projector | undefined {
  const { service, metrics, state, store, lease, tracing } = parts;
  const categories = categoriesOf(service);
  if (categories.length === 0) return undefined;
  const relay: Projector = createRelay({
    ...onBrokers(parts),
    ...noticesOf(service),
    categories,
    store,
    checkpoints: state.checkpoints,
    lease,
    observer: relayCounts(metrics, systemClock.now, () => relay.holds()),
    ...tracedRelay(service, tracing),
  });
  return relay;
}

const onBrokers = ({ remote: { kafka }, service, logger }: BrokerParts) => ({
  connection: connectionOf(kafka),
  namespace: kafka.prefix,
  topics: topicsOf(kafka),
  systemNow: systemClock.now,
  logger,
  service,
});

/** The notices that a service publishes besides its own events. */
const noticesOf = (service: string) =>
  service === 'onboarding' ? { notices: { topic: COMPLIANCE_REVIEWS, of: reviewNotice } } : {};

/** The stream categories that a service owns. */
export const categoriesOf = (service: string): readonly string[] => {
  const known = SERVICES.find((one) => one === service);
  return known ? SERVICE_CATEGORIES[known] : [];
};

/** The broker settings in the form that the Kafka client takes. */
export const connectionOf = ({ brokers, ssl, sasl }: KafkaSettings): KafkaConnection => ({
  brokers,
  ssl,
  ...(sasl ? { sasl: { mechanism: sasl.mechanism as 'plain', username: sasl.username, password: sasl.password } } : {}),
});

const topicsOf = ({ partitions, replicationFactor }: KafkaSettings): Partial<TopicSettings> => ({
  partitions,
  replication: replicationFactor,
});
