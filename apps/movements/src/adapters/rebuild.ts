import type { WalletFact } from '@ponte/contracts';
import type { RebuildableView, ViewTable } from '@ponte/engines';
import { createViewTable, rowRemover, rowWriter } from '@ponte/engines';
import type { Recorded } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import { CHAINS } from '@ponte/kernel';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { chainTransaction } from '../domain/chain-transaction/chain-transaction';
import { keyFinality } from '../domain/key-finality/key-finality.decider';
import { wallet, walletRecord } from '../domain/wallet/wallet';
import type { PendingRow, PendingRows } from '../ports/pending-rows';
import type { UnfinalRow, UnfinalRows } from '../ports/unfinal-rows';
import type { WalletRow } from '../ports/wallets-table';
import { PendingTransactions } from '../views/pending-transactions';
import { SigningKeys } from '../views/signing-keys';
import { UnfinalTransactions } from '../views/unfinal-transactions';
import { walletRow } from '../views/wallets';

/** Names the projector that keeps the view of a category up to date. */
export const readerOf = (category: string): string => `movements/${category}`;

/** Wallets by account. */
export const walletsTable = (db: Kysely<unknown>): ViewTable<WalletRow> => createViewTable<WalletRow>({
  db, table: 'wallets', indices: [['account_id']],
  columns: { account_id: 'text', chain: 'text', address: 'text', name: 'text', assets: 'json' },
});

const PENDING_COLUMNS = ['id', 'revision', 'chain', 'sender', 'nonce', 'tx_hash', 'since', 'correlation_id'] as const satisfies readonly (keyof PendingRow)[];

/** What is unfinished on the chains. */
export function pendingRows(db: Kysely<unknown>): PendingRows {
  const put = rowWriter(db, 'pending_transactions', PENDING_COLUMNS, sql<boolean>`pending_transactions.revision < excluded.revision`);
  return { put: (rows) => put(rows.map((row) => PENDING_COLUMNS.map((name) => row[name]))), remove: rowRemover(db, 'pending_transactions') };
}

const UNFINAL_COLUMNS = [
  'id', 'revision', 'chain', 'sender', 'nonce', 'tx_hash', 'block_number', 'block_hash', 'correlation_id',
] as const satisfies readonly (keyof UnfinalRow)[];

/** What is confirmed on the chains and not final. */
export function unfinalRows(db: Kysely<unknown>): UnfinalRows {
  const put = rowWriter(db, 'unfinal_transactions', UNFINAL_COLUMNS, sql<boolean>`unfinal_transactions.revision < excluded.revision`);
  return { put: (rows) => put(rows.map((row) => UNFINAL_COLUMNS.map((name) => row[name]))), remove: rowRemover(db, 'unfinal_transactions') };
}

/** Read by one projector, in the order of the log: what became final was confirmed before. */
export const TRANSACTION_CATEGORIES = [chainTransaction.category, keyFinality.category] as const;

const current = upcaster(wallet.events);

/** The rows of the wallets that were created in a run of the log. */
export const walletRows = (events: readonly Recorded[]): WalletRow[] => events.flatMap((event) => {
  const record = walletRecord(wallet.evolve(wallet.initial, current<WalletFact>(event) as WalletFact));
  return record ? [walletRow(record, event.revision)] : [];
});

/** What this service shows, and how it is made anew. */
export const MOVEMENTS_VIEWS: readonly RebuildableView[] = [
  {
    name: readerOf(wallet.category), reader: readerOf(wallet.category), categories: [wallet.category], tables: ['wallets'],
    async open(db) {
      const rows = walletsTable(db);
      await rows.prepare();
      return { apply: ({ events }) => rows.putAll(walletRows(events)) };
    },
  },
  {
    name: readerOf(chainTransaction.category), reader: readerOf(chainTransaction.category), categories: TRANSACTION_CATEGORIES,
    tables: ['pending_transactions', 'unfinal_transactions', 'signing_keys'],
    async open(db) {
      const [rows, unfinal, keys] = [new PendingTransactions(db, pendingRows(db)), new UnfinalTransactions(db, unfinalRows(db)), new SigningKeys(db)];
      await Promise.all([rows.prepare(), unfinal.prepare(), keys.prepare()]);
      return {
        apply: async ({ events }) => {
          await keys.apply(events);
          await rows.apply(events);
          await unfinal.apply(events);
        },
        settle: async () => { for (const chain of CHAINS) await keys.complete(chain, []); },
      };
    },
  },
];
