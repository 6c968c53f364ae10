import { openBankFile } from '../simulated-bank/bank-file';
import type { PayoutRefusal } from './payouts.port';

/** A payment in the bank's books. It has no data of the payee: the data folder must not contain personal data. */
export interface PaymentRow {
  readonly payment_id: string;
  readonly amount: string;
  readonly status: 'pending' | 'held' | 'completed' | 'refused';
  readonly refusal: PayoutRefusal | null;
  readonly end_to_end_id: string | null;
  /** The final status of a pending payment, reached at the read that uses up `reads_left`. */
  readonly becomes: 'completed' | 'refused';
  readonly reads_left: number;
}
interface ReturnRow {
  readonly return_id: string;
  readonly payment_id: string;
  readonly amount: string;
  readonly returned_at: string;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS payments (
    payment_id TEXT PRIMARY KEY, amount TEXT NOT NULL, status TEXT NOT NULL, refusal TEXT, end_to_end_id TEXT UNIQUE,
      becomes TEXT NOT NULL, reads_left INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS returns (return_id TEXT PRIMARY KEY, payment_id TEXT NOT NULL, amount TEXT NOT NULL,
    returned_at TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS returns_by_time ON returns (returned_at, return_id);
  CREATE TABLE IF NOT EXISTS calls (payment_id TEXT PRIMARY KEY, sends INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS moved_keys (key_hash TEXT PRIMARY KEY, moves INTEGER NOT NULL) STRICT;
`;

/** The bank's own books, in a file that survives our process as a real bank would. */
export function openPayoutBooks(file: string) {
  const { all, one, run, close } = openBankFile(file, SCHEMA);
  const insert = one(
    'INSERT INTO payments (payment_id, amount, status, refusal, end_to_end_id, becomes, reads_left) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1',
  );
  const countSend = one<{ sends: number }>(
    'INSERT INTO calls (payment_id, sends) VALUES (?, 1) ON CONFLICT (payment_id) DO UPDATE SET sends = sends + 1 RETURNING sends',
  );
  const movesOf = one<{ moves: number }>('SELECT moves FROM moved_keys WHERE key_hash = ?');
  return {
    /** False if the bank already has a payment with this id. */
    add: (row: PaymentRow): boolean =>
      insert(row.payment_id, row.amount, row.status, row.refusal, row.end_to_end_id, row.becomes, row.reads_left) !==
      undefined,
    payment: one<PaymentRow>('SELECT * FROM payments WHERE payment_id = ?'),
    payments: all<PaymentRow>('SELECT * FROM payments'),
    countDown: one<PaymentRow>(
      "UPDATE payments SET reads_left = reads_left - 1 WHERE payment_id = ? AND status = 'pending' RETURNING *",
    ),
    complete: one<PaymentRow>(
      "UPDATE payments SET status = 'completed', end_to_end_id = ? " +
        "WHERE payment_id = ? AND status IN ('pending', 'held') RETURNING *",
    ),
    refuse: one<PaymentRow>(
      "UPDATE payments SET status = 'refused', refusal = ? " +
        "WHERE payment_id = ? AND status IN ('pending', 'held') RETURNING *",
    ),
    /** Undoes a refusal: the bank made the payment after all. */
    makeRefused: one<PaymentRow>(
      "UPDATE payments SET status = 'completed', refusal = NULL, end_to_end_id = ?, amount = ? " +
        "WHERE payment_id = ? AND status = 'refused' RETURNING *",
    ),
    addReturn: one<ReturnRow>(
      'INSERT INTO returns (return_id, payment_id, amount, returned_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *',
    ),
    returnsOf: all<ReturnRow>('SELECT * FROM returns WHERE payment_id = ? AND returned_at <= ? ORDER BY returned_at'),
    returnsBetween: all<{ payment_id: string }>(
      'SELECT payment_id FROM returns WHERE returned_at >= ? AND returned_at <= ? ORDER BY returned_at, return_id LIMIT ? OFFSET ?',
    ),
    returnsUntil: all<ReturnRow>('SELECT * FROM returns WHERE returned_at <= ?'),
    /** Counts this request, and returns how often the payment was sent to the bank so far. */
    countSend: (paymentId: string): number => countSend(paymentId)?.sends ?? 0,
    moveKey: run(
      'INSERT INTO moved_keys (key_hash, moves) VALUES (?, 1) ON CONFLICT (key_hash) DO UPDATE SET moves = moves + 1',
    ),
    movesOf: (keyHash: string): number => movesOf(keyHash)?.moves ?? 0,
    close,
  };
}

export type PayoutBooks = ReturnType<typeof openPayoutBooks>;
