import { rebuildableViews } from '@ponte/nest';
import type { RebuildableView } from '@ponte/read-models';
import { CHAINS } from '@ponte/kernel';
import { CertificateReadModel } from './certificates/certificates.read-model';
import { chainTransaction } from './transactions/chain-transaction.decider';
import { keyFinality } from './signer-key/key-finality.decider';
import { NftTransferReadModel } from './nft-transfer/nft-transfers.read-model';
import { IncomingBlockReadModel } from './token-deposits/open-blocks.read-model';
import { TransferReadModel } from './transfer/transfers.read-model';
import { PendingTransactions } from './transactions/pending-transactions';
import { SigningKeys } from './signer-key/signing-keys';
import { UnfinalTransactions } from './finality/unfinal-transactions';
import { WalletReadModel } from './wallet/wallets.read-model';

/** Names the projector of what is unfinished on the chains, which also wakes those who watch them. */
export const TRANSACTIONS_READER = 'movements/chainTransaction';

export const MOVEMENTS_READ_MODELS = [
  TransferReadModel,
  IncomingBlockReadModel,
  CertificateReadModel,
  NftTransferReadModel,
  WalletReadModel,
];

/** Read by one projector, in the order of the log: what became final was confirmed before. */
export const TRANSACTION_CATEGORIES = [chainTransaction.category, keyFinality.category] as const;

/** What this service shows, and how it is rebuilt. */
export const MOVEMENTS_VIEWS: readonly RebuildableView[] = [
  ...rebuildableViews(MOVEMENTS_READ_MODELS),
  {
    name: TRANSACTIONS_READER,
    reader: TRANSACTIONS_READER,
    categories: TRANSACTION_CATEGORIES,
    tables: ['pending_transactions', 'unfinal_transactions', 'signing_keys'],
    async open(db) {
      const [rows, unfinal, keys] = [new PendingTransactions(db), new UnfinalTransactions(db), new SigningKeys(db)];
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
