import type { DemoContext } from './demo-context';
import { brlvWallet } from './demo-context';
import { completed, until } from './waiting';

/** Issues a reward certificate to the sub-account's wallet and transfers it to the partner's wallet. */
export async function transferCertificate(context: DemoContext, amount: string): Promise<void> {
  const { client, print, accountId, subaccountId, walletAddress } = context;
  const { 'reward-certificate': issued } = await client.issueSandboxCertificate({
    'account-id': subaccountId,
    'wallet-address': walletAddress,
    amount,
  });
  print(`   certificate ${issued.id} is ${issued.status}`);
  const active = (what: string, holder: string) =>
    until(
      what,
      () => client.listRewardCertificates(holder),
      ({ items }) => items.some(({ id, status }) => id === issued.id && status === 'active'),
    );
  await active('the certificate', subaccountId);
  print(`   its token was minted to ${walletAddress}`);
  const target = await brlvWallet(client, accountId);
  const { transfer } = await client.createNftTransfer(
    subaccountId,
    { 'source-address': walletAddress, 'target-address': target, 'reward-certificate-id': issued.id },
    { idempotencyKey: `demo-${issued.id}` },
  );
  print(`   NFT transfer ${transfer.id} to ${target} is ${transfer.state}`);
  const completedTransfer = await completed(
    'the NFT transfer',
    async () => (await client.getNftTransfer(subaccountId, transfer.id)).transfer,
  );
  print(`   completed by transaction ${completedTransfer['tx-hash']}`);
  await active('the certificate of the partner', accountId);
  print('   certificate status: transferred for the sub-account, active for the partner');
}
