import type { Ponte } from '@ponte/sdk';
import type { Stage } from './stage';
import { brlvWallet } from './stage';
import { completed, until } from './waiting';

/**
 * Transfers tokens from the sub-account to its partner's wallet, which is one transaction and a deposit for the
 * partner.
 */
export async function transferTokens(stage: Stage, amount: string): Promise<void> {
  const { client, say, accountId, subaccountId, walletAddress, onChainBalance } = stage;
  const target = await brlvWallet(client, accountId);
  const { transfer } = await client.createTransfer(
    subaccountId,
    { 'source-address': walletAddress, asset: 'eth-base/brlv', amount, 'target-address': target },
    { idempotencyKey: `demo-transfer-${target}` },
  );
  say(`   transfer ${transfer.id} to ${target} is ${transfer.state}`);
  const completedTransfer = await completed(
    'the transfer',
    async () => (await client.getTransfer(subaccountId, transfer.id)).transfer,
  );
  say(`   completed by transaction ${completedTransfer['tx-hash']}`);
  const deposit = await credited(client, accountId, 'brlv', completedTransfer['tx-hash'] ?? '');
  say(`   the partner sees deposit ${deposit?.id} of type ${deposit?.type}: ${deposit?.amount}`);
  say(
    `   BRLV on the chain: ${await onChainBalance(walletAddress)} with the sub-account, ${await onChainBalance(target)} with the partner`,
  );
}

/**
 * Sends tokens from an outside wallet to the sub-account's wallet on the chain, which gives the sub-account a deposit.
 */
export async function receiveTokens(stage: Stage, asset: 'eth-base/usdc', amount: string): Promise<void> {
  const { client, say, subaccountId, walletAddress } = stage;
  const { deposit: sent } = await client.simulateDeposit(
    { 'account-id': subaccountId, type: 'token', asset, amount, 'target-address': walletAddress },
    { idempotencyKey: `demo-token-deposit-${walletAddress}` },
  );
  const txHash = String(sent['tx-hash']);
  say(`   ${String(sent['source-address'])} sends them in transaction ${txHash}`);
  const deposit = await credited(client, subaccountId, 'usdc', txHash);
  const { balance } = await client.getBalance(subaccountId, 'usdc');
  say(
    `   deposit ${deposit?.id} of type ${deposit?.type} is ${deposit?.status}: the balance is USDC ${balance['running-balance']}`,
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
