import type { OnModuleInit, Type } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { EventTable, EventTableOptions, RowQuery } from '@ponte/read-models';
import { eventTablePart } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { VIEWS } from '../tokens';
import type { ReadModelClass } from './define-read-model';

/** Rows that come, go and are added up as events say, each of which is applied once. */
export interface EventReadModel<Row> {
  readonly views: Kysely<unknown>;
  readonly table: EventTable<Row>;
  /** The rows that a query selects. */
  select(narrow: (rows: RowQuery<Row>) => RowQuery<Row>): Promise<Row[]>;
}

/**
 * Makes the base class of a read model whose rows follow from single events, where `defineReadModel` has the rows of
 * the state of a stream: `@Injectable() class OpenHolds extends defineEventReadModel<HoldRow>({…}) {}`. It is
 * registered in the same way. No repository shows it: its rows are written by its projector alone.
 */
export function defineEventReadModel<Row extends object>({
  reader,
  ...options
}: EventTableOptions<Row> & {
  /** As in `ReadModelOptions`. */
  readonly reader?: string;
}): Type<EventReadModel<Row> & OnModuleInit> & ReadModelClass {
  const { part, tableIn } = eventTablePart(options);

  @Injectable()
  class DefinedEventReadModel implements EventReadModel<Row>, OnModuleInit {
    static readonly reader = reader ?? options.table;
    static readonly part = part;
    readonly table: EventTable<Row>;

    constructor(@Inject(VIEWS) readonly views: Kysely<unknown>) {
      this.table = tableIn(views);
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
