import {
  createOrder,
  createQuote,
  getOrder,
  listOrders,
  uploadFileWithFormData,
  uploadFileWithJson,
} from './client/ponte';
import { accountId, apiKey, must, png, PNG_BASE64, report } from './sandbox';

const options = { headers: { authorization: `Bearer ${apiKey}` } };

report(async () => {
  const quote = await createQuote(
    accountId,
    { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '10.00' },
    options,
  );
  if (quote.status !== 200) throw new Error(JSON.stringify(quote.data));
  const order = await createOrder(accountId, { 'quote-id': quote.data.id, 'source-payment-method': 'brcode' }, options);
  if (order.status !== 200) throw new Error(JSON.stringify(order.data));
  const orders = await listOrders(accountId, { state: 'created', limit: 5 }, options);
  if (orders.status !== 200) throw new Error(JSON.stringify(orders.data));
  const asForm = await uploadFileWithFormData({ file: png(), purpose: 'other' }, options);
  const asJson = await uploadFileWithJson(
    { 'file-name': 'a.png', 'content-type': 'image/png', 'content-base64': PNG_BASE64, purpose: 'other' },
    options,
  );
  const absent = await getOrder(accountId, accountId, options);
  return {
    order: order.data.order,
    listed: orders.data.orders.map(({ id }) => id),
    files: [asForm, asJson].map((file) => must(file.status === 201 ? file.data.file.id : undefined, file.data)),
    refusal: absent.status === 404 ? absent.data.error.code : undefined,
  };
});
