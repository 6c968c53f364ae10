// #region code
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });
const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1000));

const [wallet] = (await ponte.listWallets(accountId, { assets: ['eth-base/brlv'] })).items;
if (wallet === undefined) throw new Error('The account has no wallet on eth-base.');
const { 'reward-certificate': issued } = await ponte.issueSandboxCertificate({
  'account-id': accountId,
  'wallet-address': wallet.address,
  amount: '100.00',
});

// The list shows the certificate once its token is minted.
const isActive = async () =>
  (await ponte.listRewardCertificates(accountId, { status: 'active' })).items.some(({ id }) => id === issued.id);
for (let second = 0; !(await isActive()); second += 1) {
  if (second === 60) throw new Error('The certificate was not minted within 60 seconds.');
  await aSecond();
}

const { transfer } = await ponte.createNftTransfer(accountId, {
  'reward-certificate-id': issued.id,
  'source-address': wallet.address,
  'target-address': '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
});
let state: string = transfer.state;
for (let second = 0; second < 60 && ['created', 'pending'].includes(state); second += 1) {
  await aSecond();
  ({ state } = (await ponte.getNftTransfer(accountId, transfer.id)).transfer);
}
if (state !== 'completed') throw new Error(`The transfer is not completed. Its state is ${state}.`);
console.log('The certificate is transferred.');
// #endregion code
