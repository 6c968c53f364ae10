import type { Json } from './partner-client';
import { until } from './partner-client';
import type { Stage } from './stage';

interface Wallet extends Json {
  readonly address: string;
}
interface Certificate extends Json {
  readonly id: string;
  readonly status: string;
  readonly 'wallet-address': string;
}
interface Transfer extends Json {
  readonly id: string;
  readonly state: string;
  readonly 'tx-hash': string | null;
}
interface Certificates {
  readonly 'reward-certificates': readonly Certificate[];
}

/** Issues a reward certificate to the sub-account's wallet and transfers it to the partner's wallet. */
export async function transferCertificate(stage: Stage, amount: string): Promise<void> {
  const { client, say, accountId, subaccountId, walletAddress } = stage;
  const of = (account: string, rest: string) => `/api/v1/accounts/${account}${rest}`;
  const listed = (account: string) => client.get<Certificates>(of(account, '/reward-certificates'));
  const requestBody = { 'account-id': subaccountId, 'wallet-address': walletAddress, amount };
  const { 'reward-certificate': issued } = await client.post<{ 'reward-certificate': Certificate }>(
    '/api/v1/sandbox/reward-certificates',
    requestBody,
  );
  say(`   certificate ${issued.id} is ${issued.status}`);
  const isActive = (answer: Certificates) =>
    answer['reward-certificates'].some(({ id, status }) => id === issued.id && status === 'active');
  await until('the certificate', () => listed(subaccountId), isActive);
  say(`   its token is minted to ${walletAddress}`);
  const { wallets } = await client.get<{ wallets: Wallet[] }>(of(accountId, '/wallets?assets=eth-base/brlv'));
  const target = wallets[0]?.address ?? '';
  const body = { 'source-address': walletAddress, 'target-address': target, 'reward-certificate-id': issued.id };
  const { transfer } = await client.post<{ transfer: Transfer }>(of(subaccountId, '/nft-transfers'), body, {
    'idempotency-key': `demo-${issued.id}`,
  });
  say(`   NFT transfer ${transfer.id} to ${target} is ${transfer.state}`);
  const { transfer: done } = await until(
    'the NFT transfer',
    () => client.get<{ transfer: Transfer }>(of(subaccountId, `/nft-transfers/${transfer.id}`)),
    ({ transfer: one }) => one.state === 'completed' || one.state === 'failed',
  );
  if (done.state !== 'completed')
    throw new Error(`the NFT transfer ended ${done.state}: ${JSON.stringify(done['failure'])}`);
  say(`   completed by transaction ${done['tx-hash']}`);
  await until('the certificate of the partner', () => listed(accountId), isActive);
  say('   the certificate is transferred for the sub-account, and active for the partner');
}
