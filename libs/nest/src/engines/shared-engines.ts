import type { Logger } from 'pino';
import type { Checkpoints, EventStore, MessageBus, ParkingLot, Snapshots } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Timers } from '@ponte/concurrency';
import { pause } from '@ponte/concurrency';
import { instrument } from '@ponte/kernel';
import type { Clock } from '@ponte/kernel';
import type { Observability, Probe, Tracing, Delays } from '@ponte/observability';
import {
  busLog,
  busMetrics,
  busTraces,
  observability,
  openTracing,
  originOf,
  reportBacklog,
} from '@ponte/observability';
import { createIds, systemClock } from '../clocks';
import { createLogger, reportFailedSnapshots } from '../logging';
import type { Runtime } from '../process/runtime';
import type { Engines } from './engines';

/** Replacements for engines, used by benchmarks and tests. */
export interface EngineOverrides {
  readonly store?: EventStore;
  readonly logger?: Logger;
  /** Business time. */
  readonly clock?: Clock;
  /** Passed if metrics and readiness are being served already. */
  readonly observability?: Observability;
  /** Further conditions for readiness. */
  readonly probes?: Readonly<Record<string, Probe>>;
  /** For tests: a handler that makes a request that `NESTED_REQUESTS` does not list for it fails. */
  readonly checkRequests?: boolean;
}

/** The logger, metrics and traces of a process. */
export interface Telemetry extends Observability {
  readonly logger: Logger;
  readonly tracing: Tracing;
}

/** Opened first, since every engine reports to it. `instance` identifies this process among its replicas. */
export async function openTelemetry(
  runtime: Runtime,
  name: string,
  overrides: Pick<EngineOverrides, 'logger' | 'observability'>,
  instance?: string,
): Promise<Telemetry> {
  const observed = overrides.observability ?? observability();
  const tracing = await openTracing(runtime.tracing, {
    name,
    ...(instance === undefined ? {} : { instance }),
    environment: runtime.environment,
    metrics: observed.metrics,
    logger: () => logger,
  });
  const logger: Logger = overrides.logger ?? createLogger(name, runtime.logLevel, originOf(tracing));
  return { ...observed, tracing, logger };
}

/** The engines that the two kinds of process open differently. */
interface Opened
  extends
    Telemetry,
    Pick<
      Engines,
      | 'runtime'
      | 'clock'
      | 'clockSkew'
      | 'failpoints'
      | 'store'
      | 'lease'
      | 'readModels'
      | 'edgeState'
      | 'backlogs'
      | 'personalData'
    > {
  readonly state: Pick<Engines, 'checkpoints' | 'parkedEvents' | 'operator'>;
  readonly readModelCheckpoints: Checkpoints;
  readonly snapshots: Snapshots;
  readonly delays: Delays;
  readonly timers: Timers;
  readonly bus: MessageBus & ParkingLot;
}

/** The first pause after a conflict. It doubles with each attempt, with jitter, up to the maximum. */
const CONFLICT_PAUSE_MS = 1;
const MAX_CONFLICT_PAUSE_MS = 50;

const afterConflict = (attempt: number): Promise<void> =>
  pause(Math.random() * Math.min(MAX_CONFLICT_PAUSE_MS, CONFLICT_PAUSE_MS * 2 ** attempt));

/** Builds the members that do not depend on the adapters. */
export function sharedEngines({
  state,
  snapshots,
  delays,
  bus,
  ...opened
}: Opened): Omit<Engines, 'probes' | 'rewindable' | 'shadowReadModels' | 'close'> {
  const { logger, metrics, tracing, store, backlogs, timers } = opened;
  reportBacklog({ delays, backlogs, metrics, timers });
  const aggregates = new Aggregates({
    store,
    systemNow: systemClock.now,
    pause: afterConflict,
    snapshots,
    snapshotFailed: reportFailedSnapshots(logger),
  });
  return {
    ...opened,
    systemClock,
    ids: createIds(),
    parkingLot: bus,
    bus: instrument<MessageBus>(bus, [
      busMetrics(state.parkedEvents, metrics, systemClock.now, delays),
      busLog(logger),
      busTraces(tracing),
    ]),
    aggregates,
    checkpoints: state.checkpoints,
    parkedEvents: state.parkedEvents,
    operator: state.operator,
    duties: new Map(),
  };
}
