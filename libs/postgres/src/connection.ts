import type { Pool, PoolClient } from 'pg';
import { troubleOf } from './failures';
import { storable } from './values';

export interface Answer<Row> {
  readonly command: string;
  readonly rowCount: number;
  readonly rows: Row[];
}

/** Runs a statement on a connection that a transaction holds. */
export type Run = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/**
 * Statements that a connection keeps prepared; the texts of a running system are few, those of filters a few hundred.
 */
const PREPARED = 500;

/** Gives each text a name, the same on all connections, under which the server keeps it parsed and planned. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** Undefined when there are too many: then it is parsed each time. */
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
  /** After an error that the connection may not have survived, or that left something open on it. */
  private spoilt = false;

  constructor(
    private readonly client: PoolClient,
    private readonly names: StatementNames,
  ) {}

  static async take(pool: Pool, names: StatementNames): Promise<Connection> {
    return new Connection(await pool.connect(), names);
  }

  async run<Row>(text: string, values: readonly unknown[] = []): Promise<Answer<Row>> {
    try {
      const name = values.length > 0 ? this.names.of(text) : undefined;
      const { command, rowCount, rows } = await this.client.query({ name, text, values: values.map(storable) });
      return { command, rowCount: rowCount ?? 0, rows: rows as Row[] };
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === 'lost' || trouble === 'stale') this.spoilt = true;
      throw error;
    }
  }

  async transaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    await this.run('BEGIN');
    try {
      const result = await work(async (text, values) => (await this.run(text, values)).rows as never);
      await this.run('COMMIT');
      return result;
    } catch (error) {
      await this.run('ROLLBACK').catch(() => {
        this.spoilt = true;
      });
      throw error;
    }
  }

  /** It is closed when it is freed: something was left open on it. */
  spoil(): void {
    this.spoilt = true;
  }

  free(): void {
    this.client.release(this.spoilt);
  }
}
