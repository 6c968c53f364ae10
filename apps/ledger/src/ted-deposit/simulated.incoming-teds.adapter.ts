import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Money, derivedId, isoTime } from '@ponte/kernel';
import Database from 'libsql';
import { sealedPayer } from '../pix-charge/adapters/sealed-payer';
import type { Payer, RailReturn } from '../pix-charge/pix-charges.port';
import { RailFailed } from '../pix-charge/pix-charges.port';
import type { IncomingTeds, ReceivedTed, TedPayer } from './incoming-teds.port';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS teds (ted_id TEXT PRIMARY KEY, identifier TEXT NOT NULL, amount TEXT NOT NULL, settled_at TEXT NOT NULL, payer TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS teds_by_time ON teds (settled_at, ted_id);
  CREATE TABLE IF NOT EXISTS sent_back (return_id TEXT PRIMARY KEY, ted_id TEXT NOT NULL, amount TEXT NOT NULL) STRICT;
`;
const PAGE = 1_000;
const NOT_NAMED: Payer = {
  taxId: null,
  legalName: '',
  bankCode: '',
  branchCode: '',
  accountNumber: '',
  accountType: '',
};

interface TedRow {
  readonly ted_id: string;
  readonly identifier: string;
  readonly amount: string;
  readonly settled_at: string;
  readonly payer: string;
}

/** The TED side of the simulated bank, with books of its own. Payers are sealed: the data folder names no person. */
export class SimulatedIncomingTeds implements IncomingTeds, TedPayer, OnApplicationShutdown {
  private readonly db: Database.Database;
  private closed = false;

  constructor(
    private readonly options: { readonly file: string; readonly clock: Clock; readonly personalData: PersonalData },
  ) {
    if (options.file !== ':memory:') mkdirSync(dirname(options.file), { recursive: true });
    this.db = new Database(options.file);
    this.db.exec('PRAGMA journal_mode = WAL');
    this.db.exec(SCHEMA);
  }

  async get(tedId: string): Promise<ReceivedTed | undefined> {
    const [row] = this.rows<TedRow>('SELECT * FROM teds WHERE ted_id = ?', tedId);
    if (!row) return undefined;
    const payer = await this.options.personalData.open(row.payer as Sealed);
    return {
      tedId,
      identifier: row.identifier === '' ? null : row.identifier,
      amount: row.amount,
      settledAt: row.settled_at,
      payer: payer === ERASED ? NOT_NAMED : (JSON.parse(payer) as Payer),
    };
  }

  async list({
    from,
    to,
    page,
  }: {
    from: string;
    to: string;
    page: number;
  }): Promise<{ tedIds: readonly string[]; lastPage: boolean }> {
    const found = this.rows<{ ted_id: string }>(
      'SELECT ted_id FROM teds WHERE settled_at >= ? AND settled_at <= ? ORDER BY settled_at, ted_id LIMIT ? OFFSET ?',
      from,
      to,
      PAGE,
      page * PAGE,
    );
    return { tedIds: found.map((row) => row.ted_id), lastPage: found.length < PAGE };
  }

  async sendBack(tedId: string, returnId: string, amount: string): Promise<RailReturn> {
    const [ted] = this.rows<TedRow>('SELECT * FROM teds WHERE ted_id = ?', tedId);
    if (ted?.amount !== amount) throw new RailFailed('send-back', 'there is no such TED, or it has another amount');
    // A TED goes back once, whole.
    this.rows(
      'INSERT INTO sent_back (return_id, ted_id, amount) SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM sent_back WHERE ted_id = ?) ON CONFLICT DO NOTHING RETURNING 1',
      returnId,
      tedId,
      amount,
      tedId,
    );
    return (await this.getSentBack(tedId, returnId)) ?? { returnId, status: 'not-carried-out' };
  }

  async getSentBack(tedId: string, returnId: string): Promise<RailReturn | undefined> {
    return this.rows('SELECT 1 FROM sent_back WHERE ted_id = ? AND return_id = ?', tedId, returnId).length > 0
      ? { returnId, status: 'returned' }
      : undefined;
  }

  async pay({
    reference,
    identifier,
    amount,
    payer,
  }: {
    reference: string;
    identifier: string;
    amount: string;
    payer: Payer;
  }) {
    const [tedId, settledAt] = [
      `STR${derivedId('ted', reference).replaceAll('-', '').slice(0, 20).toUpperCase()}`,
      isoTime(this.options.clock.now()),
    ];
    const sealed = await sealedPayer(this.options.personalData, payer, reference);
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

  /** By the bank's own books. */
  totals(): { readonly received: Money; readonly returned: Money } {
    const sum = (rows: readonly { amount: string }[]) =>
      rows.reduce((total, { amount }) => total.plus(Money.stored('fiat/brl', amount)), Money.zero('fiat/brl'));
    return {
      received: sum(this.rows('SELECT amount FROM teds')),
      returned: sum(this.rows('SELECT amount FROM sent_back')),
    };
  }

  /** Nest calls it once for each port that this class provides. */
  onApplicationShutdown(): void {
    if (!this.closed) this.db.close();
    this.closed = true;
  }

  private rows<T>(sql: string, ...values: (string | number)[]): T[] {
    return this.db.prepare(sql).all(...values) as T[];
  }
}
