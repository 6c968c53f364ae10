import type { BankFault, BankOperation } from '@ponte/contracts';
import { openBankFile } from '../../simulated-bank/bank-file';
import type { RailChargeStatus, RailReturnStatus } from '../pix-charges.port';

export interface ChargeRow {
  readonly txid: string;
  readonly location: string;
  readonly amount: string;
  readonly expires_at: string;
  readonly status: RailChargeStatus;
}
interface PaymentRow {
  readonly end_to_end_id: string;
  readonly reference: string;
  readonly txid: string;
  readonly amount: string;
  readonly settled_at: string;
  /** The payer, sealed: the data folder must not contain personal data in clear. */
  readonly payer: string;
}
interface ReturnRow {
  readonly end_to_end_id: string;
  readonly return_id: string;
  readonly amount: string;
  readonly status: RailReturnStatus;
}

interface FaultRow {
  readonly operation: BankOperation;
  readonly fault: BankFault;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS charges (
    txid TEXT PRIMARY KEY, location TEXT NOT NULL UNIQUE, amount TEXT NOT NULL, expires_at TEXT NOT NULL,
      status TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS payments (
    end_to_end_id TEXT PRIMARY KEY, reference TEXT NOT NULL UNIQUE, txid TEXT NOT NULL, amount TEXT NOT NULL,
      settled_at TEXT NOT NULL, payer TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS payments_of_charge ON payments (txid);
  CREATE INDEX IF NOT EXISTS payments_by_time ON payments (settled_at, end_to_end_id);
  CREATE TABLE IF NOT EXISTS returns (
    end_to_end_id TEXT NOT NULL, return_id TEXT NOT NULL, amount TEXT NOT NULL, status TEXT NOT NULL,
      PRIMARY KEY (end_to_end_id, return_id)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS taken_back (end_to_end_id TEXT PRIMARY KEY, amount TEXT NOT NULL,
    taken_at TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS behaviour (member TEXT PRIMARY KEY, how TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS planned_faults (id INTEGER PRIMARY KEY, operation TEXT NOT NULL,
    fault TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS held_callbacks (id INTEGER PRIMARY KEY, end_to_end_id TEXT NOT NULL) STRICT;
`;

/** The bank's own books, in a separate file that survives a kill of the process as a real bank would. */
export function openBankBooks(file: string) {
  const { db, all, one, run, close } = openBankFile(file, SCHEMA);
  const insertPayment = run(
    'INSERT INTO payments (end_to_end_id, reference, txid, amount, settled_at, payer) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const markPaid = run("UPDATE charges SET status = 'paid' WHERE txid = ? AND status = 'active'");
  const isPlanned = one('SELECT 1 FROM planned_faults WHERE operation = ? LIMIT 1');
  const takeFault = one<FaultRow>(
    'DELETE FROM planned_faults WHERE id = (SELECT MIN(id) FROM planned_faults WHERE operation = ?) RETURNING operation, fault',
  );
  return {
    addCharge: run("INSERT INTO charges (txid, location, amount, expires_at, status) VALUES (?, ?, ?, ?, 'active')"),
    charge: one<ChargeRow>('SELECT * FROM charges WHERE txid = ?'),
    chargeAt: one<ChargeRow>('SELECT * FROM charges WHERE location = ?'),
    removeCharge: run("UPDATE charges SET status = 'removed-by-receiver' WHERE txid = ? AND status = 'active'"),
    /** Records the payment and marks its charge as paid, in one transaction. */
    settle: db.transaction((row: PaymentRow) => {
      insertPayment(row.end_to_end_id, row.reference, row.txid, row.amount, row.settled_at, row.payer);
      markPaid(row.txid);
    }) as unknown as (row: PaymentRow) => void,
    payment: one<PaymentRow>('SELECT * FROM payments WHERE end_to_end_id = ?'),
    paymentFor: one<PaymentRow>('SELECT * FROM payments WHERE reference = ?'),
    paymentsOf: all<{ end_to_end_id: string }>(
      'SELECT end_to_end_id FROM payments WHERE txid = ? ORDER BY settled_at, end_to_end_id',
    ),
    paymentsBetween: all<{ end_to_end_id: string }>(
      'SELECT end_to_end_id FROM payments WHERE settled_at >= ? AND settled_at <= ? ORDER BY settled_at, end_to_end_id LIMIT ? OFFSET ?',
    ),
    payments: all<{ amount: string }>('SELECT amount FROM payments'),
    takeBack: run('INSERT INTO taken_back (end_to_end_id, amount, taken_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    takenBack: all<{ amount: string }>('SELECT amount FROM taken_back'),
    isTakenBack: one('SELECT 1 FROM taken_back WHERE end_to_end_id = ?'),
    takenBackBetween: all<{ end_to_end_id: string }>(
      'SELECT end_to_end_id FROM taken_back WHERE taken_at >= ? AND taken_at <= ? ORDER BY taken_at, end_to_end_id LIMIT ? OFFSET ?',
    ),
    addReturn: run('INSERT INTO returns (end_to_end_id, return_id, amount, status) VALUES (?, ?, ?, ?)'),
    setReturn: run('UPDATE returns SET status = ? WHERE end_to_end_id = ? AND return_id = ?'),
    returnOf: one<ReturnRow>('SELECT * FROM returns WHERE end_to_end_id = ? AND return_id = ?'),
    returnsOf: all<ReturnRow>('SELECT * FROM returns WHERE end_to_end_id = ?'),
    returns: all<ReturnRow>('SELECT * FROM returns'),
    behaviour: one<{ how: string }>('SELECT how FROM behaviour WHERE member = ?'),
    behave: run(
      'INSERT INTO behaviour (member, how) VALUES (?, ?) ON CONFLICT (member) DO UPDATE SET how = excluded.how',
    ),
    plan: run('INSERT INTO planned_faults (operation, fault) VALUES (?, ?)'),
    clearPlanned: run('DELETE FROM planned_faults'),
    planned: all<FaultRow>('SELECT operation, fault FROM planned_faults ORDER BY id'),
    /** Takes a planned fault; only one caller in one process gets it. Looks for one first, because few exist. */
    takePlanned: (operation: BankOperation): FaultRow | undefined =>
      isPlanned(operation) ? takeFault(operation) : undefined,
    hold: run('INSERT INTO held_callbacks (end_to_end_id) VALUES (?)'),
    takeHeld: all<{ end_to_end_id: string }>('DELETE FROM held_callbacks RETURNING end_to_end_id'),
    close,
  };
}

export type BankBooks = ReturnType<typeof openBankBooks>;
