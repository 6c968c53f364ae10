/**
 * Injection tokens. Interfaces do not exist at run time, so each port has a token; the class `Aggregates` needs none.
 */
export const EVENT_STORE = Symbol('EventStore');
export const MESSAGE_BUS = Symbol('MessageBus');
export const PARKING_LOT = Symbol('ParkingLot');
/** The table of parked events, for readers that park events themselves: {@link ParkedEvents}. */
export const PARKED_EVENTS = Symbol('ParkedEvents');
/** A Kysely instance for the read models' database. */
export const READ_MODELS = Symbol('ReadModels');
export const CHECKPOINTS = Symbol('Checkpoints');
/** Checkpoints of read model projectors. They are stored with the read models, so neither can outlive the other. */
export const READ_MODEL_CHECKPOINTS = Symbol('ReadModelCheckpoints');
/** The readers that an operator may rewind: {@link Rewindable}. */
export const REWINDABLE = Symbol('Rewindable');
/** The actions that the services of a process execute for operators: a `Map<string, OperatorDuty>` by verb. */
export const OPERATOR_DUTIES = Symbol('OperatorDuties');
export const LEASE = Symbol('Lease');
export const EDGE_STATE = Symbol('EdgeState');
/** How far the processes lag behind: {@link Backlogs}. */
export const BACKLOGS = Symbol('Backlogs');
/** Whether the clock of this process is correct: `isSane` of `ClockSkew`. */
export const CLOCK_SKEW = Symbol('ClockSkew');
export const PERSONAL_DATA = Symbol('PersonalData');
/** Business time. In the sandbox it can be advanced. */
export const CLOCK = Symbol('Clock');
/** The machine's time, for leases, nonces, tokens and deadlines. */
export const SYSTEM_CLOCK = Symbol('SystemClock');
export const IDS = Symbol('Ids');
/** A pino logger. */
export const LOGGER = Symbol('Logger');
/** The settings that every service has about its process: {@link Runtime}. */
export const RUNTIME = Symbol('Runtime');
/** The metrics of this process: {@link Metrics}. */
export const METRICS = Symbol('Metrics');
/** Documents that the management port serves: {@link ManagementDocuments}. */
export const MANAGEMENT_DOCUMENTS = Symbol('ManagementDocuments');
/** The tracing of this process: {@link Tracing}. */
export const TRACING = Symbol('Tracing');
export const TIMERS = Symbol('Timers');
/** Encrypted evidence files. Bound by each service that reads or writes them. */
export const BLOBS = Symbol('Blobs');
/** The conditions for readiness: `Readonly<Record<string, Probe>>`. */
export const PROBES = Symbol('probes');
