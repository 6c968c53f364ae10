import { isApiError, Ponte, SigningKey, signWebhook, verifyWebhook } from '@ponte/sdk';

/** The input from the host, because the runtime has no environment, files or modules. */
declare const given: Readonly<Record<'PONTE_BASE_URL' | 'PONTE_API_KEY' | 'PONTE_ACCOUNT_ID' | 'pem', string>>;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

async function run(): Promise<string> {
  const scope = globalThis as Record<string, unknown>;
  if (scope['process'] !== undefined || scope['require'] !== undefined) throw new Error('this is Node');
  const { PONTE_BASE_URL: baseUrl, PONTE_API_KEY: apiKey, PONTE_ACCOUNT_ID: accountId, pem } = given;
  await new SigningKey(pem).token({ keyId: 'ak_test_1', method: 'GET', uri: '/', body: null });
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = await signWebhook({ id: 'e1', timestamp: Math.floor(Date.now() / 1000), body: '{}' }, secret);
  await verifyWebhook({ headers: new Headers(headers), body: '{}' }, secret);

  const ponte = new Ponte({ baseUrl, apiKey });
  const quote = await ponte.createQuote(accountId, {
    'source-asset': 'fiat/brl',
    'target-asset': 'eth-base/brlv',
    'source-amount': '10.00',
  });
  const { order } = await ponte.createOrder(accountId, { 'quote-id': quote.id, 'source-payment-method': 'brcode' });
  const listed: string[] = [];
  for await (const { id } of ponte.listOrders(accountId, { limit: 1 })) if (listed.push(id) === 2) break;
  const { file } = await ponte.uploadFile({
    'file-name': 'a.png',
    'content-type': 'image/png',
    'content-base64': PNG,
    purpose: 'other',
  });
  const refusal = await ponte.getOrder(accountId, accountId).then(
    () => undefined,
    (error: unknown) => (isApiError(error, 'order-not-found') ? error.code : undefined),
  );
  return JSON.stringify({ order, listed, files: [file.id], refusal });
}

(globalThis as Record<string, unknown>)['outcome'] = run();
