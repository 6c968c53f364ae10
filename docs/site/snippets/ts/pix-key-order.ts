// #region code
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

const wallet = (await ponte.listWallets(accountId, { assets: ['eth-base/brlv'] })).items.at(-1);
if (wallet === undefined) throw new Error('The account has no wallet on eth-base.');
const quote = await ponte.createQuote(accountId, {
  'source-asset': 'eth-base/brlv',
  'target-asset': 'fiat/brl',
  'target-amount': '5.00',
});
let { order } = await ponte.createOrder(accountId, {
  'quote-id': quote.id,
  'source-wallet-address': wallet.address,
  'target-end-user-pix-key': '52998224725',
});
for (let second = 0; second < 60 && ['created', 'processing'].includes(order.state); second += 1) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  ({ order } = await ponte.getOrder(accountId, order.id));
}
console.log(`The order is ${order.state}, and the BRL is ${order.delivery?.state}.`);
// #endregion code
