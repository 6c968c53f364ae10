import type { Pool, PoolClient } from 'pg';
import { troubleOf } from './failures';
import { storable } from './values';

export interface Answer<Row> {
  readonly command: string;
  readonly rowCount: number;
  readonly rows: Row[];
}

/** Runs a statement on the connection of a transaction. */
export type Run = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Number of statements prepared per connection. A running system has few texts; filters add a few hundred. */
const PREPARED = 500;

/** Assigns each text a name, the same on all connections, under which the server keeps it parsed and planned. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** Undefined if there are too many; the text is then parsed each time. */
  of(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= PREPARED) return known;
    const name = `ponte${this.names.size + 1}`;
    this.names.set(text, name);
    return name;
  }
}

/** One connection, taken from the pool until `free`. Throws the driver's own errors. */
export class Connection {
  /** Set after an error that may have broken the connection or left something open on it. */
  private mustClose = false;

  constructor(
    private readonly client: PoolClient,
    private readonly names: StatementNames,
  ) {}

  static async take(pool: Pool, names: StatementNames): Promise<Connection> {
    return new Connection(await pool.connect(), names);
  }

  /** `timeoutMs`: how long the driver waits for the answer, if not as usual. */
  async run<Row>(text: string, values: readonly unknown[] = [], timeoutMs?: number): Promise<Answer<Row>> {
    try {
      const name = values.length > 0 ? this.names.of(text) : undefined;
      const query = { name, text, values: values.map(storable), query_timeout: timeoutMs };
      const { command, rowCount, rows } = await this.client.query(query);
      return { command, rowCount: rowCount ?? 0, rows: rows as Row[] };
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === 'lost' || trouble === 'stale') this.mustClose = true;
      throw error;
    }
  }

  /** `timeoutMs` applies to each statement of the work: see {@link run}. */
  async transaction<T>(work: (run: Run) => Promise<T>, timeoutMs?: number): Promise<T> {
    await this.run('BEGIN');
    try {
      const result = await work(async (text, values) => (await this.run(text, values, timeoutMs)).rows as never);
      await this.run('COMMIT');
      return result;
    } catch (error) {
      await this.run('ROLLBACK').catch(() => {
        this.mustClose = true;
      });
      throw error;
    }
  }

  /** Marks the connection to be closed when it is freed, because something was left open on it. */
  closeWhenFreed(): void {
    this.mustClose = true;
  }

  free(): void {
    this.client.release(this.mustClose);
  }
}
