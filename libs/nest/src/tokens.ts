/** What services inject. Interfaces have no run-time identity, so each port has a token; `Aggregates` is its own. */
export const EVENT_STORE = Symbol('EventStore');
export const MESSAGE_BUS = Symbol('MessageBus');
export const PARKING_LOT = Symbol('ParkingLot');
/** Kysely over the views' database. */
export const VIEWS = Symbol('Views');
export const CHECKPOINTS = Symbol('Checkpoints');
/** Checkpoints of view projectors, kept with the views: neither can outlive the other. */
export const VIEW_CHECKPOINTS = Symbol('ViewCheckpoints');
/** Readers that an operator may put back: {@link Rewindable}. */
export const REWINDABLE = Symbol('Rewindable');
/** What the services of a process do for operators, by verb: a `Map<string, OperatorDuty>`. */
export const OPERATOR_DUTIES = Symbol('OperatorDuties');
export const LEASE = Symbol('Lease');
export const EDGE_STATE = Symbol('EdgeState');
/** How far the processes are behind: {@link Backlogs}. */
export const BACKLOGS = Symbol('Backlogs');
/** Whether the clock of this process may be believed: `isSane` of `ClockSkew`. */
export const CLOCK_SKEW = Symbol('ClockSkew');
export const PERSONAL_DATA = Symbol('PersonalData');
/** Business time; the sandbox may advance it. */
export const CLOCK = Symbol('Clock');
/** The machine's time: leases, nonces, tokens, deadlines. */
export const SYSTEM_CLOCK = Symbol('SystemClock');
export const IDS = Symbol('Ids');
/** A pino logger. */
export const LOGGER = Symbol('Logger');
/** Where and in which environment this process runs: {@link Runtime}. */
export const RUNTIME = Symbol('Runtime');
/** What this process counts and measures: {@link Metrics}. */
export const METRICS = Symbol('Metrics');
/** Documents that the management port serves: {@link ManagementDocuments}. */
export const MANAGEMENT_DOCUMENTS = Symbol('ManagementDocuments');
/** The spans of this process: {@link Tracing}. */
export const TRACING = Symbol('Tracing');
export const TIMERS = Symbol('Timers');
/** Evidence files, encrypted; each service that reads or writes them binds it. */
export const BLOBS = Symbol('Blobs');
/** What must work for this process to be ready: `Readonly<Record<string, Probe>>`. */
export const PROBES = Symbol('probes');
