import type {
  NftTransferCompleted,
  NftTransferFailed,
  TransferCompleted,
  TransferFailed,
  TransferPending,
} from '@ponte/contracts';
import { pick, toWire } from '@ponte/kernel';

type Published = TransferPending['data'] | TransferCompleted['data'] | TransferFailed['data'];
type NftPublished = NftTransferCompleted['data'] | NftTransferFailed['data'];

/** The fields of every transfer, of tokens or of a certificate. */
const movement = (data: Published | NftPublished) =>
  toWire(data, 'transferId', 'accountId', 'createdBy', 'createdByApiKey');

const addresses = (data: Published | NftPublished) => ({
  'source-wallet-address': data.sourceAddress,
  'target-wallet-address': data.targetAddress,
  'tx-hash': data.txHash,
});

/** The fields of every token transfer, in the order of docs/spec/webhooks.md. */
const transfer = (data: Published) => ({
  ...movement(data),
  ...pick(data, 'asset', 'amount'),
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
  failure: pick(data.failure, 'code', 'message', 'retryable'),
});

export const nftTransferCompleted = (data: NftTransferCompleted['data']) => ({
  ...nftTransfer(data),
  'completed-at': data.completedAt,
});

export const nftTransferFailed = (data: NftTransferFailed['data']) => ({
  ...nftTransfer(data),
  'failed-at': data.failedAt,
  failure: pick(data.failure, 'code', 'message', 'retryable'),
});
