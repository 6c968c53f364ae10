import type { OnApplicationShutdown } from '@nestjs/common';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Clock, Money } from '@ponte/kernel';
import { derivedId, isoTime } from '@ponte/kernel';
import type { BankPage, BankWindow } from '../payouts/bank-window';
import { PAGE, openBankFile, totalOf } from '../simulated-bank/bank-file';
import { openPayer, sealPayer } from '../pix-charge/adapters/sealed-payer';
import type { RailReturn } from '../pix-charge/pix-charges.port';
import { RailFailed } from '../pix-charge/pix-charges.port';
import type { IncomingTeds, ReceivedTed, TedPayer } from './incoming-teds.port';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS teds (ted_id TEXT PRIMARY KEY, identifier TEXT NOT NULL, amount TEXT NOT NULL,
    settled_at TEXT NOT NULL, payer TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS teds_by_time ON teds (settled_at, ted_id);
  CREATE TABLE IF NOT EXISTS sent_back (return_id TEXT PRIMARY KEY, ted_id TEXT NOT NULL, amount TEXT NOT NULL) STRICT;
`;

interface TedRow {
  readonly ted_id: string;
  readonly identifier: string;
  readonly amount: string;
  readonly settled_at: string;
  readonly payer: string;
}

/**
 * The TED side of the simulated bank, with its own books. Payers are sealed: the data folder must not contain personal
 * data in clear.
 */
export class SimulatedIncomingTeds implements IncomingTeds, TedPayer, OnApplicationShutdown {
  private readonly books: ReturnType<typeof openBankFile>;

  constructor(
    private readonly options: { readonly file: string; readonly clock: Clock; readonly personalData: PersonalData },
  ) {
    this.books = openBankFile(options.file, SCHEMA);
  }

  async get(tedId: string): Promise<ReceivedTed | undefined> {
    const [row] = this.rows<TedRow>('SELECT * FROM teds WHERE ted_id = ?', tedId);
    if (!row) return undefined;
    return {
      tedId,
      identifier: row.identifier === '' ? null : row.identifier,
      amount: row.amount,
      settledAt: row.settled_at,
      payer: await openPayer(this.options.personalData, row.payer),
    };
  }

  async list({ from, to, page }: BankWindow): Promise<BankPage> {
    const found = this.rows<{ ted_id: string }>(
      'SELECT ted_id FROM teds WHERE settled_at >= ? AND settled_at <= ? ORDER BY settled_at, ted_id LIMIT ? OFFSET ?',
      from,
      to,
      PAGE,
      page * PAGE,
    );
    return { ids: found.map((row) => row.ted_id), lastPage: found.length < PAGE };
  }

  async sendBack(tedId: string, returnId: string, amount: string): Promise<RailReturn> {
    const [ted] = this.rows<TedRow>('SELECT * FROM teds WHERE ted_id = ?', tedId);
    if (ted?.amount !== amount) throw new RailFailed('send-back', 'there is no such TED, or its amount differs');
    // A TED is returned once, in full.
    this.rows(
      'INSERT INTO sent_back (return_id, ted_id, amount) SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM sent_back WHERE ted_id = ?) ON CONFLICT DO NOTHING RETURNING 1',
      returnId,
      tedId,
      amount,
      tedId,
    );
    const sent = await this.getSentBack(tedId, returnId);
    return sent ?? { returnId, status: 'not-carried-out', amount, bankReturnId: null };
  }

  async getSentBack(tedId: string, returnId: string): Promise<RailReturn | undefined> {
    const [sent] = this.rows<{ readonly amount: string }>(
      'SELECT amount FROM sent_back WHERE ted_id = ? AND return_id = ?',
      tedId,
      returnId,
    );
    const bankReturnId = controlNumberOf('return', returnId);
    return sent && { returnId, status: 'returned', amount: sent.amount, bankReturnId };
  }

  async pay({ reference, identifier, amount, payer }: Parameters<TedPayer['pay']>[0]) {
    const [tedId, settledAt] = [controlNumberOf('ted', reference), isoTime(this.options.clock.now())];
    const sealed = await sealPayer(this.options.personalData, payer, reference);
    this.rows(
      'INSERT INTO teds (ted_id, identifier, amount, settled_at, payer) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1',
      tedId,
      identifier,
      amount,
      settledAt,
      sealed,
    );
    return { tedId, settledAt };
  }

  /** Totals from the bank's own books. */
  totals(): { readonly received: Money; readonly returned: Money } {
    return {
      received: totalOf(this.rows('SELECT amount FROM teds')),
      returned: totalOf(this.rows('SELECT amount FROM sent_back')),
    };
  }

  onApplicationShutdown(): void {
    this.books.close();
  }

  private rows<T>(sql: string, ...values: (string | number)[]): T[] {
    return this.books.all<T>(sql)(...values);
  }
}

const controlNumberOf = (kind: 'ted' | 'return', id: string): string =>
  `STR${derivedId(kind, id).replaceAll('-', '').slice(0, 20).toUpperCase()}`;
