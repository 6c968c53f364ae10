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
import type { OpenShadowReadModels, Projector } from '@ponte/read-models';
import type { Clock, Ids } from '@ponte/kernel';
import type { ClockSkew } from '../clocks';
import type { ManagementDocuments, Metrics, Probe, Readiness, Tracing } from '@ponte/observability';
import type { OperatorDuty, TimePosition } from '@ponte/operator';
import type { Runtime } from '../process/runtime';
import type { Timers } from '@ponte/concurrency';

/** The readers of a process that an operator may rewind, by name. */
export type Rewindable = Map<string, RewindableReader>;

interface RewindableReader extends Pick<Projector, 'rewind' | 'holds'> {
  /** Set if the reader is rewound to a time instead of a position in the log. */
  readonly keepsTime?: true;
  /** Where its position is stored, if that is not a checkpoint. */
  readonly position?: TimePosition;
}

/** Everything that a process provides to its services, independent of the adapters in use. */
export interface Engines {
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Business time. */
  readonly clock: Clock;
  readonly systemClock: Clock;
  /** How far the system's clock differs from the database's; always 0 in a single process, which has none. */
  readonly clockSkew?: Pick<ClockSkew, 'assertSane' | 'isSane' | 'measure'>;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly store: EventStore;
  /** Faults that stop readers of the log in this process until an operator acts; absent if there can be none. */
  readonly logFaults?: () => readonly StoreFault[];
  readonly aggregates: Aggregates;
  readonly bus: MessageBus;
  readonly parkingLot: ParkingLot;
  readonly checkpoints: Checkpoints;
  readonly readModelCheckpoints: Checkpoints;
  readonly lease: Lease;
  readonly parkedEvents: ParkedEvents;
  /** The operators' view of the readers, and their requested actions. */
  readonly operator: OperatorState;
  readonly rewindable: Rewindable;
  /** The actions that services execute for operators, by verb. */
  readonly duties: Map<string, OperatorDuty>;
  /** The read models' database. Each service declares its own tables and casts to its own schema. */
  readonly readModels: Kysely<unknown>;
  /** Opens the database in which read models are rebuilt. */
  readonly shadowReadModels: OpenShadowReadModels;
  readonly edgeState: EdgeState;
  readonly backlogs: Backlogs;
  readonly personalData: PersonalData;
  readonly metrics: Metrics;
  /** Documents served by the management port, besides health and metrics. */
  readonly documents: ManagementDocuments;
  readonly tracing: Tracing;
  /** Set by the code that starts the process: ready, or draining. */
  readonly readiness: Readiness;
  /** Further conditions for readiness, besides reading the log and the database. */
  readonly probes: Readonly<Record<string, Probe>>;
  /** Reads the whole log and reports damage; absent if the store's own server does that. */
  readonly checkLog?: () => Promise<LogReport>;
  /** Points at which a test kills this process; undefined in production. */
  readonly failpoints: Failpoints | undefined;
  /** Closes timers, bus, stores and traces, in that order. */
  close(): Promise<void>;
}
