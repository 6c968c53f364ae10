import type { Logger } from 'pino';
import type { Kysely } from 'kysely';
import type {
  Failpoints,
  Aggregates,
  Backlogs,
  Checkpoints,
  EdgeState,
  EventStore,
  Lease,
  MessageBus,
  OperatorState,
  ParkedEvents,
  ParkingLot,
  PersonalData,
} from '@ponte/event-sourcing';
import type { StoreFault } from '@ponte/eventstore-eventstoredb';
import type { LogReport } from '@ponte/eventstore-sqlite';
import type { OpenShadowViews, Projector } from '@ponte/read-models';
import type { Clock, Ids } from '@ponte/kernel';
import type { ClockSkew } from '../process/clock-skew';
import type { ManagementDocuments, Metrics, Probe, Readiness, Tracing } from '@ponte/observability';
import type { OperatorDuty, TimePlace } from '@ponte/operator';
import type { Runtime } from '../process/runtime';
import type { Timers } from '@ponte/concurrency';

/** Readers of a process that an operator may put back, by name. */
export type Rewindable = Map<string, RewindableReader>;

export interface RewindableReader extends Pick<Projector, 'rewind' | 'holds'> {
  /** It is put back to a time, and not to a position in the log. */
  readonly keepsTime?: true;
  /** Where its place is kept, when that is not its checkpoint. */
  readonly place?: TimePlace;
}

/** Everything that a process gives its services, whichever adapters stand behind it. */
export interface Engines {
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Business time. */
  readonly clock: Clock;
  readonly systemClock: Clock;
  /** How far the system's clock is off; absent where one process is all there is. */
  readonly clockSkew?: Pick<ClockSkew, 'assertSane' | 'isSane' | 'look'>;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly store: EventStore;
  /** What keeps readers of the log in this process from going on until someone acts; absent where nothing can. */
  readonly logFaults?: () => readonly StoreFault[];
  readonly aggregates: Aggregates;
  readonly bus: MessageBus;
  readonly parkingLot: ParkingLot;
  readonly checkpoints: Checkpoints;
  readonly viewCheckpoints: Checkpoints;
  readonly lease: Lease;
  readonly parkedEvents: ParkedEvents;
  /** What operators see of the readers and ask of the processes. */
  readonly operator: OperatorState;
  readonly rewindable: Rewindable;
  /** What the services do for operators, by verb. */
  readonly duties: Map<string, OperatorDuty>;
  /** Each service declares its own tables and casts to its own schema. */
  readonly views: Kysely<unknown>;
  /** Where views are rebuilt. */
  readonly shadowViews: OpenShadowViews;
  readonly edgeState: EdgeState;
  readonly backlogs: Backlogs;
  readonly personalData: PersonalData;
  readonly metrics: Metrics;
  /** What the management port shows beside health and metrics. */
  readonly documents: ManagementDocuments;
  readonly tracing: Tracing;
  /** Who starts the process says when it serves and when it stops. */
  readonly readiness: Readiness;
  /** What else must work for this process to be ready, beside reading the log and the database. */
  readonly probes: Readonly<Record<string, Probe>>;
  /** Reads the whole log and tells what is damaged; absent where the store's own server does that. */
  readonly checkLog?: () => Promise<LogReport>;
  /** Where a test has this process killed; undefined in production. */
  readonly failpoints: Failpoints | undefined;
  /** Ends timers, bus, stores and traces, in that order. */
  close(): Promise<void>;
}
