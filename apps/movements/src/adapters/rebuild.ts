import type { WalletEvent } from '@ponte/contracts';
import type { RebuildableView, ViewTable } from '@ponte/read-models';
import { createViewTable, rowRemover, rowWriter } from '@ponte/read-models';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { StreamFolds } from '@ponte/event-sourcing';
import { CHAINS } from '@ponte/kernel';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { certificate } from '../certificates/certificate.decider';
import { changedCertificateRows } from '../certificates/certificates.read-model';
import { chainTransaction } from '../domain/chain-transaction/chain-transaction';
import type { Wallet } from '../domain/wallet/wallet';
import { keyFinality } from '../domain/key-finality/key-finality.decider';
import { wallet, walletRecord } from '../domain/wallet/wallet';
import { certificatesTable, nftTransfersTable } from './certificate-tables';
import { nftTransfer } from '../nft-transfer/nft-transfer.decider';
import { changedNftTransferRows } from '../nft-transfer/nft-transfers.read-model';
import type { PendingRow, PendingReadModel } from '../ports/pending-read-model';
import type { UnfinalRow, UnfinalReadModel } from '../ports/unfinal-read-model';
import type { WalletRow } from '../ports/wallets-table';
import { PendingTransactions } from '../views/pending-transactions';
import { transfer } from '../transfer/transfer.decider';
import type { TransferRow } from '../transfer/transfers-table.port';
import { transferReadModel } from '../transfer/transfers.read-model';
import { SigningKeys } from '../views/signing-keys';
import { UnfinalTransactions } from '../views/unfinal-transactions';
import { walletRow } from '../views/wallets';
import { incomingTransfers } from '../token-deposits/incoming-transfers.decider';
import type { IncomingBlockRow } from '../token-deposits/open-blocks.read-model';
import { incomingBlockRows } from '../token-deposits/open-blocks.read-model';

/** Names the projector that keeps the view of a category up to date. */
export const readerOf = (category: string): string => `movements/${category}`;

/** Wallets by account. */
export const walletsTable = (db: Kysely<unknown>): ViewTable<WalletRow> =>
  createViewTable<WalletRow>({
    db,
    table: 'wallets',
    indices: [['account_id'], ['address']],
    columns: {
      account_id: 'text',
      chain: 'text',
      address: 'text',
      name: 'text',
      assets: 'json',
      ui_enabled: 'boolean',
      metadata: 'json',
    },
  });

/** Transfers by account. */
export const transfersTable = (db: Kysely<unknown>): ViewTable<TransferRow> =>
  createViewTable<TransferRow>({
    db,
    table: 'transfers',
    indices: [['account_id'], ['unfinished']],
    columns: {
      account_id: 'text',
      source_address: 'text',
      target_address: 'text',
      asset: 'text',
      state: 'text',
      tx_hash: 'text?',
      external_id: 'text?',
      unfinished: 'integer?',
      record: 'json',
    },
  });

const PENDING_COLUMNS = [
  'id',
  'revision',
  'chain',
  'sender',
  'nonce',
  'tx_hash',
  'since',
  'correlation_id',
] as const satisfies readonly (keyof PendingRow)[];

/** What is unfinished on the chains. */
export function pendingReadModel(db: Kysely<unknown>): PendingReadModel {
  const put = rowWriter(
    db,
    'pending_transactions',
    PENDING_COLUMNS,
    sql<boolean>`pending_transactions.revision < excluded.revision`,
  );
  return {
    put: (rows) => put(rows.map((row) => PENDING_COLUMNS.map((name) => row[name]))),
    remove: rowRemover(db, 'pending_transactions'),
  };
}

const UNFINAL_COLUMNS = [
  'id',
  'revision',
  'chain',
  'sender',
  'nonce',
  'tx_hash',
  'block_number',
  'block_hash',
  'correlation_id',
] as const satisfies readonly (keyof UnfinalRow)[];

/** What is confirmed on the chains and not final. */
export function unfinalReadModel(db: Kysely<unknown>): UnfinalReadModel {
  const put = rowWriter(
    db,
    'unfinal_transactions',
    UNFINAL_COLUMNS,
    sql<boolean>`unfinal_transactions.revision < excluded.revision`,
  );
  return {
    put: (rows) => put(rows.map((row) => UNFINAL_COLUMNS.map((name) => row[name]))),
    remove: rowRemover(db, 'unfinal_transactions'),
  };
}

/** Read by one projector, in the order of the log: what became final was confirmed before. */
export const TRANSACTION_CATEGORIES = [chainTransaction.category, keyFinality.category] as const;

/** Wallets folded from the log as it passes by. */
export const walletFolds = (store: Pick<EventStore, 'read'>): StreamFolds<Wallet, WalletEvent> =>
  new StreamFolds(wallet, store);

/** The rows of the wallets that changed in a run of the log. */
export async function walletReadModel(
  folds: StreamFolds<Wallet, WalletEvent>,
  events: readonly Recorded[],
): Promise<WalletRow[]> {
  return [...(await folds.add(events))].flatMap(([, { state, revision }]) => {
    const record = walletRecord(state);
    return record ? [walletRow(record, revision)] : [];
  });
}

/** Blocks with deposits, by chain. */
export const incomingBlocksTable = (db: Kysely<unknown>): ViewTable<IncomingBlockRow> =>
  createViewTable<IncomingBlockRow>({
    db,
    table: 'incoming_blocks',
    indices: [['chain'], ['unfinished']],
    columns: {
      chain: 'text',
      block_number: 'integer',
      block_hash: 'text',
      confirmed: 'boolean',
      unfinished: 'integer?',
    },
  });

const incomingBlocks: RebuildableView = {
  name: readerOf(incomingTransfers.category),
  reader: readerOf(incomingTransfers.category),
  categories: [incomingTransfers.category],
  tables: ['incoming_blocks'],
  async open(db, store) {
    const rows = incomingBlocksTable(db);
    await rows.prepare();
    const folds = new StreamFolds(incomingTransfers, store);
    return { apply: async ({ events }) => rows.putAll(await incomingBlockRows(folds, events)) };
  },
};

const transfers: RebuildableView = {
  name: readerOf(transfer.category),
  reader: readerOf(transfer.category),
  categories: [transfer.category],
  tables: ['transfers'],
  async open(db, store) {
    const rows = transfersTable(db);
    await rows.prepare();
    const folds = new StreamFolds(transfer, store);
    return { apply: async ({ events }) => rows.putAll(await transferReadModel(folds, events)) };
  },
};

const certificates: RebuildableView = {
  name: readerOf(certificate.category),
  reader: readerOf(certificate.category),
  categories: [certificate.category],
  tables: ['reward_certificates'],
  async open(db, store) {
    const rows = certificatesTable(db);
    await rows.prepare();
    const folds = new StreamFolds(certificate, store);
    return { apply: async ({ events }) => rows.putAll(await changedCertificateRows(folds, events)) };
  },
};

const nftTransfers: RebuildableView = {
  name: readerOf(nftTransfer.category),
  reader: readerOf(nftTransfer.category),
  categories: [nftTransfer.category],
  tables: ['nft_transfers'],
  async open(db, store) {
    const rows = nftTransfersTable(db);
    await rows.prepare();
    const folds = new StreamFolds(nftTransfer, store);
    return { apply: async ({ events }) => rows.putAll(await changedNftTransferRows(folds, events)) };
  },
};

/** What this service shows, and how it is rebuilt. */
export const MOVEMENTS_VIEWS: readonly RebuildableView[] = [
  transfers,
  incomingBlocks,
  certificates,
  nftTransfers,
  {
    name: readerOf(wallet.category),
    reader: readerOf(wallet.category),
    categories: [wallet.category],
    tables: ['wallets'],
    async open(db, store) {
      const rows = walletsTable(db);
      await rows.prepare();
      const folds = walletFolds(store);
      return { apply: async ({ events }) => rows.putAll(await walletReadModel(folds, events)) };
    },
  },
  {
    name: readerOf(chainTransaction.category),
    reader: readerOf(chainTransaction.category),
    categories: TRANSACTION_CATEGORIES,
    tables: ['pending_transactions', 'unfinal_transactions', 'signing_keys'],
    async open(db) {
      const [rows, unfinal, keys] = [
        new PendingTransactions(db, pendingReadModel(db)),
        new UnfinalTransactions(db, unfinalReadModel(db)),
        new SigningKeys(db),
      ];
      await Promise.all([rows.prepare(), unfinal.prepare(), keys.prepare()]);
      return {
        apply: async ({ events }) => {
          await keys.apply(events);
          await rows.apply(events);
          await unfinal.apply(events);
        },
        settle: async () => {
          for (const chain of CHAINS) await keys.complete(chain, []);
        },
      };
    },
  },
];
