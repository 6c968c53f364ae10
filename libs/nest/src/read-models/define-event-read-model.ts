import type { OnModuleInit, Type } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { EventTable, EventTableOptions, RowQuery } from '@ponte/read-models';
import { eventTablePart } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { READ_MODELS } from '../tokens';
import type { ReadModelClass } from './define-read-model';

/** Rows that single events insert, remove or add to. Each event is applied once. */
export interface EventReadModel<Row> {
  readonly readModels: Kysely<unknown>;
  readonly table: EventTable<Row>;
  select(narrow: (rows: RowQuery<Row>) => RowQuery<Row>): Promise<Row[]>;
}

/**
 * Creates the base class of a read model whose rows depend on single events, while those of `defineReadModel` depend on
 * the state of a stream: `@Injectable() class OpenHolds extends defineEventReadModel<HoldRow>({…}) {}`. It is
 * registered in the same way, but it is not passed to a repository: only its projector writes its rows.
 */
export function defineEventReadModel<Row extends object>({
  reader,
  ...options
}: EventTableOptions<Row> & {
  /** See `ReadModelOptions`. */
  readonly reader?: string;
}): Type<EventReadModel<Row> & OnModuleInit> & ReadModelClass {
  const { part, tableIn } = eventTablePart(options);

  @Injectable()
  class DefinedEventReadModel implements EventReadModel<Row>, OnModuleInit {
    static readonly reader = reader ?? options.table;
    static readonly part = part;
    readonly table: EventTable<Row>;

    constructor(@Inject(READ_MODELS) readonly readModels: Kysely<unknown>) {
      this.table = tableIn(readModels);
    }

    onModuleInit(): Promise<void> {
      return this.table.prepare();
    }

    select(narrow: (rows: RowQuery<Row>) => RowQuery<Row>): Promise<Row[]> {
      return this.table.select(narrow);
    }
  }
  return DefinedEventReadModel;
}
