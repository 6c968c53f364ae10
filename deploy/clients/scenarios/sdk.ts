import { generateKeyPairSync } from 'node:crypto';
import { isApiError, Ponte, SigningKey, signWebhook, verifyWebhook } from '@ponte/sdk';
import type { Answer, PonteOptions, WebhookEvent } from '@ponte/sdk';
import { accountId, apiKey, baseUrl, png, report } from './sandbox';

const options: PonteOptions = { baseUrl, apiKey };
const ponte = new Ponte(options);

/** Exercises signing and webhook verification, which use the runtime's cryptography. */
async function cryptography(): Promise<void> {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await new SigningKey(pem).token({ keyId: 'ak_test_1', method: 'GET', uri: '/', body: null });
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"event-id":"e1"}';
  const headers = await signWebhook({ id: 'e1', timestamp: Math.floor(Date.now() / 1000), body }, secret);
  const event: WebhookEvent = await verifyWebhook({ headers, body }, [secret]);
  if (event['event-id'] !== 'e1') throw new Error('the verified event is a different one');
}

report(async () => {
  await cryptography();
  const quote: Answer<'create-quote'> = await ponte.createQuote(accountId, {
    'source-asset': 'fiat/brl',
    'target-asset': 'eth-base/brlv',
    'source-amount': '10.00',
  });
  const { order } = await ponte.createOrder(accountId, { 'quote-id': quote.id, 'source-payment-method': 'brcode' });
  const listed: string[] = [];
  for await (const one of ponte.listOrders(accountId, { state: 'created', limit: 1 }))
    if (listed.push(one.id) === 3) break;
  const form = new FormData();
  form.append('purpose', 'other');
  form.append('file', png(), 'a.png');
  const { file } = await ponte.uploadFile(form);
  const refusal = await ponte.getOrder(accountId, accountId).then(
    () => undefined,
    (error: unknown) => (isApiError(error, 'order-not-found') ? error.code : undefined),
  );
  // @ts-expect-error an asset that does not exist does not compile
  void ({ 'source-asset': 'fiat/eur', 'target-asset': 'eth-base/brlv' } satisfies Parameters<
    typeof ponte.createQuote
  >[1]);
  return { order, listed, files: [file.id], refusal };
});
