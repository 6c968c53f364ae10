/** A container that runs until it is stopped. */
interface Started {
  /** Removes the container and its data. */
  stop(): Promise<void>;
}

/** Rejects when no container engine can be reached. */
export function assertRuntime(): Promise<void>;

/** PostgreSQL on `port` of the host, so that its address stays the same over restarts. */
export function startPostgres(options: {
  readonly image: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}): Promise<
  Started & {
    readonly host: string;
    /** Runs a program in the container; rejects when the container is gone before it ends. */
    run(command: string[]): Promise<void>;
    /** Stops the container at once and starts it again on the same data. */
    restart(): Promise<void>;
  }
>;

/** EventStoreDB, on a port of the host that the engine chooses. `address` is `host:port`. */
export function startEventStore(options: {
  readonly image: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}): Promise<Started & { readonly address: string }>;

/** A Kafka broker. `address` is `host:port`. */
export function startKafka(options: { readonly image: string }): Promise<Started & { readonly address: string }>;
