import type {
  NftTransferCompleted,
  NftTransferFailed,
  TransferCompleted,
  TransferFailed,
  TransferPending,
} from '@ponte/contracts';

type Published = TransferPending['data'] | TransferCompleted['data'] | TransferFailed['data'];
type NftPublished = NftTransferCompleted['data'] | NftTransferFailed['data'];

/** The fields of every transfer, of tokens or of a certificate. */
const movement = (data: Published | NftPublished) => ({
  'transfer-id': data.transferId,
  'account-id': data.accountId,
  'created-by': data.createdBy,
  'created-by-api-key': data.createdByApiKey,
});

const addresses = (data: Published | NftPublished) => ({
  'source-wallet-address': data.sourceAddress,
  'target-wallet-address': data.targetAddress,
  'tx-hash': data.txHash,
});

const failure = ({ code, message, retryable }: TransferFailed['data']['failure']) => ({ code, message, retryable });

/** The fields of every token transfer, in the order of docs/spec/webhooks.md. */
const transfer = (data: Published) => ({
  ...movement(data),
  asset: data.asset,
  amount: data.amount,
  ...addresses(data),
});

/** The fields of every NFT transfer. */
const nftTransfer = (data: NftPublished) => ({
  ...movement(data),
  'reward-certificate-id': data.certificateId,
  ...addresses(data),
});

export const transferPending = (data: TransferPending['data']) => ({ ...transfer(data), 'pending-at': data.pendingAt });

export const transferCompleted = (data: TransferCompleted['data']) => ({
  ...transfer(data),
  'completed-at': data.completedAt,
});

export const transferFailed = (data: TransferFailed['data']) => ({
  ...transfer(data),
  'failed-at': data.failedAt,
  failure: failure(data.failure),
});

export const nftTransferCompleted = (data: NftTransferCompleted['data']) => ({
  ...nftTransfer(data),
  'completed-at': data.completedAt,
});

export const nftTransferFailed = (data: NftTransferFailed['data']) => ({
  ...nftTransfer(data),
  'failed-at': data.failedAt,
  failure: failure(data.failure),
});
