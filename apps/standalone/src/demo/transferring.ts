import type { Json } from './partner-client';
import { until } from './partner-client';
import type { Stage } from './stage';

interface Wallet extends Json {
  readonly address: string;
}
interface Transfer extends Json {
  readonly id: string;
  readonly state: string;
  readonly 'tx-hash': string | null;
}
interface Deposit extends Json {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly amount: string;
}

/**
 * Transfers tokens from the sub-account to its partner's wallet, which is one transaction and a deposit for the
 * partner.
 */
export async function transferTokens(stage: Stage, amount: string): Promise<void> {
  const { client, say, accountId, subaccountId, walletAddress, onChainBalance } = stage;
  const of = (account: string, rest: string) => `/api/v1/accounts/${account}${rest}`;
  const { wallets } = await client.get<{ wallets: Wallet[] }>(of(accountId, '/wallets?assets=eth-base/brlv'));
  const target = wallets[0]?.address ?? '';
  const { transfer } = await client.post<{ transfer: Transfer }>(
    of(subaccountId, '/transfers'),
    { 'source-address': walletAddress, asset: 'eth-base/brlv', amount, 'target-address': target },
    { 'idempotency-key': `demo-transfer-${target}` },
  );
  say(`   transfer ${transfer.id} to ${target} is ${transfer.state}`);
  const { transfer: done } = await until(
    'the transfer',
    () => client.get<{ transfer: Transfer }>(of(subaccountId, `/transfers/${transfer.id}`)),
    ({ transfer: one }) => one.state === 'completed' || one.state === 'failed',
  );
  if (done.state !== 'completed')
    throw new Error(`the transfer ended ${done.state}: ${JSON.stringify(done['failure'])}`);
  say(`   completed by transaction ${done['tx-hash']}`);
  const { deposits } = await until(
    'the deposit of tokens',
    () => client.get<{ deposits: Deposit[] }>(of(accountId, `/assets/brlv/deposits?tx-hash=${done['tx-hash']}`)),
    (answer) => answer.deposits[0]?.status === 'credited',
  );
  say(`   the partner sees deposit ${deposits[0]?.id} of type ${deposits[0]?.type}: ${deposits[0]?.amount}`);
  say(
    `   BRLV on the chain: ${await onChainBalance(walletAddress)} with the sub-account, ${await onChainBalance(target)} with the partner`,
  );
}

/**
 * Sends tokens from an outside wallet to the sub-account's wallet on the chain, which gives the sub-account a deposit.
 */
export async function receiveTokens(stage: Stage, asset: string, amount: string): Promise<void> {
  const { client, say, subaccountId, walletAddress } = stage;
  const { deposit: sent } = await client.post<{ deposit: Json }>(
    '/api/v1/sandbox/deposits',
    { 'account-id': subaccountId, type: 'token', asset, amount, 'target-address': walletAddress },
    { 'idempotency-key': `demo-token-deposit-${walletAddress}` },
  );
  say(`   ${String(sent['source-address'])} sends them in transaction ${String(sent['tx-hash'])}`);
  const { deposits } = await until(
    'the deposit from outside',
    () =>
      client.get<{ deposits: Deposit[] }>(
        `/api/v1/accounts/${subaccountId}/assets/usdc/deposits?tx-hash=${String(sent['tx-hash'])}`,
      ),
    (answer) => answer.deposits[0]?.status === 'credited',
  );
  const { balance } = await client.get<{ balance: Json }>(`/api/v1/accounts/${subaccountId}/assets/usdc/balance`);
  say(
    `   deposit ${deposits[0]?.id} of type ${deposits[0]?.type} is ${deposits[0]?.status}: the balance is USDC ${String(balance['running-balance'])}`,
  );
}
