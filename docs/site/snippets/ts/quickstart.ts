// #region quote
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

const quote = await ponte.createQuote(accountId, {
  'source-asset': 'fiat/brl',
  'target-asset': 'eth-base/brlv',
  'source-amount': '100.00',
});
console.log(`${quote['source-amount']} BRL buys ${quote['target-amount']} BRLV until ${quote['expires-at']}`);
// #endregion quote

// #region order
const { order } = await ponte.createOrder(accountId, { 'quote-id': quote.id, 'source-payment-method': 'brcode' });
console.log(`Pay this code: ${order.brcode}`);
// #endregion order

// #region pay
await ponte.simulatePixPayment({ brcode: order.brcode });

let state: string = order.state;
for (let second = 0; second < 60 && ['created', 'processing'].includes(state); second += 1) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  ({ state } = (await ponte.getOrder(accountId, order.id)).order);
}
if (state !== 'completed') throw new Error(`The order is not completed. Its state is ${state}.`);
console.log('The order is completed.');
// #endregion pay
