import type { EventStore } from '@ponte/event-sourcing';
import { openEventStoreDb } from '@ponte/eventstore-eventstoredb';
import { instrument } from '@ponte/kernel';
import { AppendHealth, Delays, storeMetrics, storeTraces } from '@ponte/observability';
import { businessTime, ClockSkew, refusingWrites, systemClock } from '../clocks';
import type { Runtime } from '../process/runtime';
import type { Engines } from './engines';
import { reportLogFaults } from './log-faults';
import type { OpenEngines } from './open-engines';
import type { RemoteEngines } from './remote-engines';
import type { Telemetry } from './shared-engines';

export interface ClusterLogParts extends Telemetry {
  readonly runtime: Runtime;
  readonly remote: RemoteEngines;
  readonly service: string;
  /** Business time; undefined to take it from the log. */
  readonly clock: Engines['clock'] | undefined;
  readonly failpoints: Engines['failpoints'];
}

/** A process's connection to EventStoreDB, with what observes it. */
interface ClusterLog extends Pick<Engines, 'store' | 'clock' | 'probes'> {
  readonly clockSkew: ClockSkew;
  readonly delays: Delays;
  readonly logFaults: NonNullable<Engines['logFaults']>;
  /** Sets which events an operator decided to skip; until then none is skipped. */
  skip(isSkipped: IsSkipped): void;
}

type IsSkipped = (stream: string, revision: string) => Promise<boolean>;

/** Connects to EventStoreDB and reports its faults, and starts business time. */
export async function openClusterLog(parts: ClusterLogParts, opened: OpenEngines): Promise<ClusterLog> {
  const { runtime, remote, service, logger, tracing, metrics, readiness, failpoints } = parts;
  let decided: IsSkipped = async () => false;
  const eventStore = opened.keep(
    await openEventStoreDb({
      connectionString: remote.esdbUrl,
      logger,
      connectionName: `ponte-${service}-${remote.instance}`,
      isSkipped: (stream, revision) => decided(stream, revision),
    }),
    (one) => one.close(),
  );
  reportLogFaults(eventStore, { metrics, readiness });
  const clock =
    parts.clock ?? opened.keep(await businessTime(runtime.environment, eventStore, logger), (one) => one.stop()).clock;
  const delays = new Delays(clock);
  const appends = new AppendHealth(() => performance.now());
  const clockSkew = new ClockSkew(systemClock.now, metrics);
  const store = instrument<EventStore>(eventStore, [
    failpoints?.decorator,
    appends.decorator,
    refusingWrites(clockSkew),
    storeMetrics(metrics, systemClock.now, delays),
    storeTraces(tracing),
  ]);
  return {
    store,
    clock,
    clockSkew,
    delays,
    logFaults: () => eventStore.faults(),
    probes: { 'appends to the event store': () => appends.assertWorking() },
    skip: (isSkipped) => {
      decided = isSkipped;
    },
  };
}
