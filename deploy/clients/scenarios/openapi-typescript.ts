import createClient from 'openapi-fetch';
import type { paths } from './client/schema';
import { accountId, apiKey, baseUrl, must, png, PNG_BASE64, report } from './sandbox';

const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
const path = { 'account-id': accountId };

report(async () => {
  const quote = await client.POST('/api/v1/accounts/{account-id}/quotes', {
    params: { path },
    body: { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '10.00' },
  });
  const order = await client.POST('/api/v1/accounts/{account-id}/orders', {
    params: { path, header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { 'quote-id': must(quote.data, quote.error).id, 'source-payment-method': 'brcode' },
  });
  const orders = await client.GET('/api/v1/accounts/{account-id}/orders', {
    params: { path, query: { state: 'created', limit: 5 } },
  });
  const asForm = await client.POST('/api/v1/accounts/files', {
    body: { file: png() as unknown as string, purpose: 'other' },
    bodySerializer: (body) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(body)) if (value !== null) form.append(name, value);
      return form;
    },
  });
  const asJson = await client.POST('/api/v1/accounts/files', {
    body: { 'file-name': 'a.png', 'content-type': 'image/png', 'content-base64': PNG_BASE64, purpose: 'other' },
  });
  const absent = await client.GET('/api/v1/accounts/{account-id}/orders/{id}', {
    params: { path: { ...path, id: accountId } },
  });
  return {
    order: must(order.data, order.error).order,
    listed: must(orders.data, orders.error).orders.map(({ id }) => id),
    files: [asForm, asJson].map(({ data, error }) => must(data, error).file.id),
    refusal: absent.error?.error.code,
  };
});
