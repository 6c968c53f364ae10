import type { WithdrawalCompleted, WithdrawalProcessingStarted, WithdrawalRolledBack } from '@ponte/contracts';
import { pick, toWire, toWireIfSet } from '@ponte/kernel';

export const withdrawProcessing = (data: WithdrawalProcessingStarted['data']) => ({
  'withdraw-id': data.withdrawalId,
  ...toWire(data, 'accountId', 'asset', 'amount', 'method', 'startedAt'),
  // Present when the withdrawal is the payout of an order.
  ...toWireIfSet(data, 'orderId'),
});

/** The personal fields of the payee stay sealed here and are opened when the event is sent. */
export const withdrawCompleted = (data: WithdrawalCompleted['data']) => ({
  'withdraw-id': data.withdrawalId,
  ...toWire(data, 'accountId', 'createdBy', 'createdByApiKey', 'asset', 'amount', 'processedAt'),
  ...toWireIfSet(data, 'orderId'),
  ...targetOf(data),
});

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
  ...toWire(data, 'accountId', 'createdBy', 'createdByApiKey', 'asset', 'amount', 'method', 'rolledBackAt'),
  ...toWireIfSet(data, 'orderId'),
  failure: pick(data.failure, 'code', 'message', 'retryable'),
});
