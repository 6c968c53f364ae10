import { client } from './client/client.gen';
import { createOrder, createQuote, getOrder, listOrders, uploadFile } from './client/sdk.gen';
import { accountId, apiKey, baseUrl, must, PNG_BASE64, report } from './sandbox';

client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? apiKey : undefined) });
const path = { 'account-id': accountId };

report(async () => {
  const quote = await createQuote({
    path,
    body: { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '10.00' },
  });
  const order = await createOrder({
    path,
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: { 'quote-id': must(quote.data, quote.error).id, 'source-payment-method': 'brcode' },
  });
  const orders = await listOrders({ path, query: { state: 'created', limit: 5 } });
  const file = await uploadFile({
    body: { 'file-name': 'a.png', 'content-type': 'image/png', 'content-base64': PNG_BASE64, purpose: 'other' },
  });
  const absent = await getOrder({ path: { ...path, id: accountId } });
  return {
    order: must(order.data, order.error).order,
    listed: must(orders.data, orders.error).orders.map(({ id }) => id),
    files: [must(file.data, file.error).file.id],
    refusal: absent.error?.error.code,
  };
});
