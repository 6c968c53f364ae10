import { rebuildableReadModels } from '@ponte/nest';
import { CertificateReadModel } from './certificates/certificates.read-model';
import { NftTransferReadModel } from './nft-transfer/nft-transfers.read-model';
import { IncomingBlockReadModel } from './token-deposits/open-blocks.read-model';
import { TransferReadModel } from './transfer/transfers.read-model';
import { MovementDecisions } from './waiting-work/movement-decisions.read-model';
import { PendingTransactions } from './transactions/pending-transactions.read-model';
import { WaitingTransactions } from './transactions/waiting-transactions.read-model';
import { SignedBytes } from './signer-policy/signed-bytes.read-model';
import { SigningKeys } from './signer-key/signing-keys.read-model';
import { UnfinalTransactions } from './finality/unfinal-transactions.read-model';
import { WalletReadModel } from './wallet/wallets.read-model';

export const MOVEMENTS_READ_MODELS = [
  TransferReadModel,
  IncomingBlockReadModel,
  CertificateReadModel,
  NftTransferReadModel,
  WalletReadModel,
  MovementDecisions,
];

/** Maintained by one projector. */
export const TRANSACTION_READ_MODELS = [
  SigningKeys,
  SignedBytes,
  UnfinalTransactions,
  PendingTransactions,
  WaitingTransactions,
];

/** The read models of this service, which can be rebuilt. */
export const MOVEMENTS_REBUILDABLE = rebuildableReadModels([...MOVEMENTS_READ_MODELS, ...TRANSACTION_READ_MODELS]);
