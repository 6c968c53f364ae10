import { Inject, Injectable } from '@nestjs/common';
import { READ_MODELS } from '@ponte/nest';
import type { TableOptions } from '@ponte/read-models';
import type { Kysely } from 'kysely';

interface Schema {
  readonly webhook_failing_endpoints: { readonly endpoint_id: string; readonly failing_since: string };
}

export const FAILING_TABLE: TableOptions = {
  table: 'webhook_failing_endpoints',
  columns: { endpoint_id: 'text', failing_since: 'text' },
  key: ['endpoint_id'],
};

/** The endpoints that have been failing without a success, and since when (ISO 8601). */
@Injectable()
export class FailingEndpoints {
  private readonly db: Kysely<Schema>;

  constructor(@Inject(READ_MODELS) readModels: Kysely<unknown>) {
    this.db = readModels as Kysely<Schema>;
  }

  async since(endpointIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db
      .selectFrom('webhook_failing_endpoints')
      .selectAll()
      .where('endpoint_id', 'in', endpointIds)
      .execute();
    return new Map(rows.map((row) => [row.endpoint_id, row.failing_since]));
  }

  async add(endpointId: string, since: string): Promise<void> {
    await this.db
      .insertInto('webhook_failing_endpoints')
      .values({ endpoint_id: endpointId, failing_since: since })
      .onConflict((conflict) => conflict.column('endpoint_id').doUpdateSet({ failing_since: since }))
      .execute();
  }

  async remove(endpointId: string): Promise<void> {
    await this.db.deleteFrom('webhook_failing_endpoints').where('endpoint_id', '=', endpointId).execute();
  }
}
