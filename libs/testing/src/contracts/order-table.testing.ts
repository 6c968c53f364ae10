import type { Page, PageRequest } from '@ponte/contracts';

/** The rows of the table in this suite. */
export interface OrderRow {
  readonly id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly account_id: string;
  readonly state: string;
  readonly quote_id: string | null;
  readonly tries: number | null;
  readonly off_market: boolean;
  readonly record: unknown;
}

export const ORDER_TABLE = {
  table: 'orders',
  indices: [['account_id'], ['account_id', 'state']],
  columns: {
    account_id: 'text',
    state: 'text',
    quote_id: 'text?',
    tries: 'integer?',
    off_market: 'boolean',
    record: 'json',
  },
} as const satisfies {
  table: string;
  indices: readonly (readonly (keyof OrderRow)[])[];
  columns: Readonly<Record<string, string>>;
};

/** The methods of a table that the suite needs. */
export interface OrderTable {
  prepare(): Promise<void>;
  put(row: OrderRow): Promise<boolean>;
  get(id: string): Promise<OrderRow | undefined>;
  page(request: {
    where: Partial<OrderRow>;
    filters?: { readonly [K in keyof OrderRow]?: OrderRow[K] | null | undefined };
    page: PageRequest;
  }): Promise<Page<OrderRow>>;
  find(where: Partial<OrderRow>): Promise<OrderRow | undefined>;
  due(
    column: 'quote_id',
    until: string,
    options?: { readonly pageSize?: number; readonly of?: 'quote_id' },
  ): AsyncGenerator<readonly string[]>;
  earliest(column: 'quote_id'): Promise<string | null>;
  count(): Promise<number>;
  clear(): Promise<void>;
}

export interface OrderTableUnderTest {
  /** An empty table that is not prepared yet. */
  readonly orders: OrderTable;
  /** Simulates a restart of the process, with the same rows. */
  reopen(): Promise<OrderTable>;
  cleanUp(): Promise<void>;
}

export const TIME = (minute: number): string => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`;

export const orderRow = (change: Partial<OrderRow> = {}): OrderRow => ({
  id: 'o1',
  revision: 0,
  created_at: TIME(0),
  account_id: 'a1',
  state: 'created',
  quote_id: null,
  tries: null,
  off_market: false,
  record: { deep: [1] },
  ...change,
});
