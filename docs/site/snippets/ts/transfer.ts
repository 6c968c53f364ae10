// #region code
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

// Orders are delivered to the account's first wallet on a chain. The list is newest first.
const wallet = (await ponte.listWallets(accountId, { assets: ['eth-base/brlv'] })).items.at(-1);
if (wallet === undefined) throw new Error('The account has no wallet on eth-base.');
const { transfer } = await ponte.createTransfer(accountId, {
  asset: 'eth-base/brlv',
  amount: '1.5',
  'source-address': wallet.address,
  'target-address': '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
});
console.log(transfer.id, transfer.state);
// #endregion code
