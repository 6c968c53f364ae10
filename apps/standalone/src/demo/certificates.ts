import type { Stage } from './stage';
import { brlvWallet } from './stage';
import { completed, until } from './waiting';

/** Issues a reward certificate to the sub-account's wallet and transfers it to the partner's wallet. */
export async function transferCertificate(stage: Stage, amount: string): Promise<void> {
  const { client, say, accountId, subaccountId, walletAddress } = stage;
  const { 'reward-certificate': issued } = await client.issueSandboxCertificate({
    'account-id': subaccountId,
    'wallet-address': walletAddress,
    amount,
  });
  say(`   certificate ${issued.id} is ${issued.status}`);
  const active = (what: string, holder: string) =>
    until(
      what,
      () => client.listRewardCertificates(holder),
      ({ items }) => items.some(({ id, status }) => id === issued.id && status === 'active'),
    );
  await active('the certificate', subaccountId);
  say(`   its token is minted to ${walletAddress}`);
  const target = await brlvWallet(client, accountId);
  const { transfer } = await client.createNftTransfer(
    subaccountId,
    { 'source-address': walletAddress, 'target-address': target, 'reward-certificate-id': issued.id },
    { idempotencyKey: `demo-${issued.id}` },
  );
  say(`   NFT transfer ${transfer.id} to ${target} is ${transfer.state}`);
  const completedTransfer = await completed(
    'the NFT transfer',
    async () => (await client.getNftTransfer(subaccountId, transfer.id)).transfer,
  );
  say(`   completed by transaction ${completedTransfer['tx-hash']}`);
  await active('the certificate of the partner', accountId);
  say('   the certificate is transferred for the sub-account, and active for the partner');
}
