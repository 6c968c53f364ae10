import type { WithdrawalCompleted, WithdrawalProcessingStarted, WithdrawalRolledBack } from '@ponte/contracts';

export const withdrawProcessing = (data: WithdrawalProcessingStarted['data']) => ({
  'withdraw-id': data.withdrawalId,
  'account-id': data.accountId,
  asset: data.asset,
  amount: data.amount,
  method: data.method,
  'started-at': data.startedAt,
  ...orderOf(data),
});

/** The personal fields of the payee stay sealed here and are opened when the event is sent. */
export const withdrawCompleted = (data: WithdrawalCompleted['data']) => ({
  'withdraw-id': data.withdrawalId,
  'account-id': data.accountId,
  'created-by': data.createdBy,
  'created-by-api-key': data.createdByApiKey,
  asset: data.asset,
  amount: data.amount,
  'processed-at': data.processedAt,
  ...orderOf(data),
  ...targetOf(data),
});

/** Present when the withdrawal is the payout of an order. */
const orderOf = ({ orderId }: { readonly orderId?: string }) => (orderId === undefined ? {} : { 'order-id': orderId });

function targetOf({ target, txHash, endToEndId }: WithdrawalCompleted['data']) {
  if (target.method === 'token')
    return { 'destination-wallet-address': target.destinationWalletAddress, 'tx-hash': txHash };
  const { method, payee } = target;
  return {
    method,
    'end-to-end-id': endToEndId,
    'target-legal-name': payee.legalName,
    'target-tax-id': payee.taxId,
    'target-bank-code': payee.bankCode,
    'target-branch-code': payee.branchCode,
    'target-account-number': payee.accountNumber,
  };
}

/** The funds are available again. `failure` says why the withdrawal was rolled back. */
export const withdrawRolledBack = (data: WithdrawalRolledBack['data']) => ({
  'withdraw-id': data.withdrawalId,
  'account-id': data.accountId,
  'created-by': data.createdBy,
  'created-by-api-key': data.createdByApiKey,
  asset: data.asset,
  amount: data.amount,
  method: data.method,
  'rolled-back-at': data.rolledBackAt,
  ...orderOf(data),
  failure: { code: data.failure.code, message: data.failure.message, retryable: data.failure.retryable },
});
