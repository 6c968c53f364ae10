import type { TransferCompleted, TransferFailed, TransferPending } from '@ponte/contracts';

type Published = TransferPending['data'] | TransferCompleted['data'] | TransferFailed['data'];

/** The payload members of the transfer kinds. Those of `token-transfer-completed` are the contract's (§12), in its order; the others are ours. */
const transfer = (data: Published) => ({
  'transfer-id': data.transferId,
  'account-id': data.accountId,
  'created-by': data.createdBy,
  'created-by-api-key': data.createdByApiKey,
  asset: data.asset,
  amount: data.amount,
  'source-wallet-address': data.sourceAddress,
  'target-wallet-address': data.targetAddress,
  'tx-hash': data.txHash,
});

export const transferPending = (data: TransferPending['data']) => ({ ...transfer(data), 'pending-at': data.pendingAt });

export const transferCompleted = (data: TransferCompleted['data']) => ({ ...transfer(data), 'completed-at': data.completedAt });

export const transferFailed = (data: TransferFailed['data']) => ({
  ...transfer(data), 'failed-at': data.failedAt, failure: { code: data.failure.code, message: data.failure.message, retryable: data.failure.retryable },
});
