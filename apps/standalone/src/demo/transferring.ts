import type { Ponte } from '@ponte/sdk';
import type { DemoContext } from './demo-context';
import { brlvWallet, shortAmount } from './demo-context';
import { completed, until } from './waiting';

/**
 * Transfers tokens from the sub-account to its partner's wallet, which is one transaction and a deposit for the
 * partner.
 */
export async function transferTokens(context: DemoContext, amount: string): Promise<void> {
  const { client, print, accountId, subaccountId, walletAddress, onChainBalance } = context;
  const target = await brlvWallet(client, accountId);
  const { transfer } = await client.createTransfer(
    subaccountId,
    { 'source-address': walletAddress, asset: 'eth-base/brlv', amount, 'target-address': target },
    { idempotencyKey: `demo-transfer-${target}` },
  );
  print(`   transfer ${transfer.id} to ${target} is ${transfer.state}`);
  const completedTransfer = await completed(
    'the transfer',
    async () => (await client.getTransfer(subaccountId, transfer.id)).transfer,
  );
  print(`   completed by transaction ${completedTransfer['tx-hash']}`);
  const deposit = await credited(client, accountId, 'brlv', completedTransfer['tx-hash'] ?? '');
  print(
    `   the partner sees deposit ${deposit?.id} of type ${deposit?.type}: BRLV ${shortAmount(deposit?.amount ?? '')}`,
  );
  print(
    `   BRLV on chain: sub-account ${await onChainBalance(walletAddress)}, partner ${await onChainBalance(target)}`,
  );
}

/**
 * Sends tokens from an external address to the sub-account's wallet, which gives the sub-account a deposit.
 */
export async function receiveTokens(context: DemoContext, asset: 'eth-base/usdc', amount: string): Promise<void> {
  const { client, print, subaccountId, walletAddress } = context;
  const { deposit: sent } = await client.simulateDeposit(
    { 'account-id': subaccountId, type: 'token', asset, amount, 'target-address': walletAddress },
    { idempotencyKey: `demo-token-deposit-${walletAddress}` },
  );
  const txHash = String(sent['tx-hash']);
  print(`   ${String(sent['source-address'])} sends it in transaction ${txHash}`);
  const deposit = await credited(client, subaccountId, 'usdc', txHash);
  const { balance } = await client.getBalance(subaccountId, 'usdc');
  print(
    `   deposit ${deposit?.id} of type ${deposit?.type} is ${deposit?.status}; the balance is USDC ${shortAmount(balance['running-balance'])}`,
  );
}

/** Waits until the deposit that a transaction made is credited. */
async function credited(client: Ponte, accountId: string, asset: string, txHash: string) {
  const { items } = await until(
    'the deposit of tokens',
    () => client.listDeposits(accountId, asset, { 'tx-hash': txHash }),
    (page) => page.items[0]?.status === 'credited',
  );
  return items[0];
}
