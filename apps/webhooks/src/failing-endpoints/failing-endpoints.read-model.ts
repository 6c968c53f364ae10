import { Inject, Injectable } from '@nestjs/common';
import { READ_MODELS } from '@ponte/nest';
import type { TableOptions } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import type { Failing } from './failing-endpoints.domain';

interface Schema {
  readonly webhook_failing_endpoints: {
    readonly endpoint_id: string;
    readonly failing_since: string;
    readonly last_failed_at: string | null;
  };
}

export const FAILING_TABLE: TableOptions = {
  table: 'webhook_failing_endpoints',
  columns: { endpoint_id: 'text', failing_since: 'text', last_failed_at: 'text?' },
  key: ['endpoint_id'],
};

/** The endpoints that have been failing without a success. */
@Injectable()
export class FailingEndpoints {
  private readonly db: Kysely<Schema>;

  constructor(@Inject(READ_MODELS) readModels: Kysely<unknown>) {
    this.db = readModels as Kysely<Schema>;
  }

  async of(endpointIds: readonly string[]): Promise<ReadonlyMap<string, Failing>> {
    const rows = await this.db
      .selectFrom('webhook_failing_endpoints')
      .selectAll()
      .where('endpoint_id', 'in', endpointIds)
      .execute();
    // A row of an earlier release has no time of the last failure.
    return new Map(
      rows.map((row) => [row.endpoint_id, { since: row.failing_since, last: row.last_failed_at ?? row.failing_since }]),
    );
  }

  async put(endpointId: string, { since, last }: Failing): Promise<void> {
    const row = { failing_since: since, last_failed_at: last };
    await this.db
      .insertInto('webhook_failing_endpoints')
      .values({ endpoint_id: endpointId, ...row })
      .onConflict((conflict) => conflict.column('endpoint_id').doUpdateSet(row))
      .execute();
  }

  async remove(endpointId: string): Promise<void> {
    await this.db.deleteFrom('webhook_failing_endpoints').where('endpoint_id', '=', endpointId).execute();
  }
}
