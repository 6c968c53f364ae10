import { Webhook } from 'standardwebhooks';
import { createWebhookSecret, PonteConfigurationError, signWebhook, verifyWebhook } from '../index';
import type { IncomingWebhook } from '../index';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOW = Date.parse('2026-01-31T12:00:00Z');
const AT = NOW / 1000;
const BODY = JSON.stringify({
  'event-id': 'e1',
  'event-type': 'order-completed',
  payload: { 'order-id': 'café' },
  sequence: 3,
});

/** Signed with the library of Standard Webhooks, as by the API. */
function sent(secret = SECRET, body = BODY, at = AT): IncomingWebhook & { headers: Record<string, string> } {
  const signature = new Webhook(secret).sign('e1', new Date(at * 1000), body);
  return { body, headers: { 'webhook-id': 'e1', 'webhook-timestamp': String(at), 'webhook-signature': signature } };
}

const faultOf = async (webhook: IncomingWebhook, secret: string | string[] = SECRET): Promise<unknown> =>
  verifyWebhook(webhook, secret, { now: NOW }).then(
    () => 'verified',
    (error: unknown) => (error as { code?: string }).code,
  );

describe('verification of a webhook', () => {
  it('returns its event, in any form of body and headers', async () => {
    const { headers, body } = sent();
    const shouting = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const webhook of [
      { headers, body },
      { headers: new Headers(headers), body: new TextEncoder().encode(body as string) },
      { headers: shouting, body },
    ]) {
      expect(await verifyWebhook(webhook, SECRET, { now: NOW })).toMatchObject({
        'event-type': 'order-completed',
        payload: { 'order-id': 'café' },
      });
    }
  });

  it('returns an event whose type selects the type of its payload', async () => {
    const event = await verifyWebhook(sent(), SECRET, { now: NOW });
    // This compiles only if the payload has the fields of its event.
    const id: string | null = event['event-type'] === 'order-completed' ? event.payload['order-id'] : null;
    expect(id).toBe('café');
  });

  it('accepts any secret of a rotation, on both sides', async () => {
    const old = createWebhookSecret();
    expect(await faultOf(sent(old), [SECRET, old])).toBe('verified');
    const both = sent();
    both.headers['webhook-signature'] =
      `v2,AAAA ${sent(old).headers['webhook-signature']} ${both.headers['webhook-signature']}`;
    expect(await faultOf(both)).toBe('verified');
    expect(await faultOf(both, old)).toBe('verified');
  });

  it('fails with the code of the violation', async () => {
    const good = sent();
    const without = (name: string) => ({ ...good, headers: { ...good.headers, [name]: undefined } });
    const withHeader = (name: string, value: string) => ({ ...good, headers: { ...good.headers, [name]: value } });
    expect(await faultOf(without('webhook-id'))).toBe('missing-header');
    expect(await faultOf(without('webhook-signature'))).toBe('missing-header');
    expect(await faultOf(withHeader('webhook-timestamp', 'now'))).toBe('invalid-timestamp');
    expect(await faultOf(sent(SECRET, BODY, AT - 301))).toBe('timestamp-out-of-range');
    expect(await faultOf(sent(SECRET, BODY, AT + 301))).toBe('timestamp-out-of-range');
    expect(await faultOf(sent(SECRET, BODY, AT - 299))).toBe('verified');
    expect(await faultOf(sent(createWebhookSecret()))).toBe('signature-mismatch');
    expect(await faultOf(withHeader('webhook-id', 'e2'))).toBe('signature-mismatch');
    expect(await faultOf(withHeader('webhook-timestamp', String(AT + 1)))).toBe('signature-mismatch');
    expect(await faultOf(withHeader('webhook-signature', 'v1,not*base64'))).toBe('signature-mismatch');
    expect(
      await faultOf(withHeader('webhook-signature', (good.headers['webhook-signature'] ?? '').replace('v1,', 'v2,'))),
    ).toBe('signature-mismatch');
    expect(await faultOf({ ...good, body: BODY.replace('3', '4') })).toBe('signature-mismatch');
    expect(await faultOf(sent(SECRET, 'no json'))).toBe('invalid-body');
  });

  it('requires a secret in the right format', async () => {
    for (const secret of ['', 'whsec_', 'whsec_***', []]) {
      await expect(verifyWebhook(sent(), secret, { now: NOW })).rejects.toBeInstanceOf(PonteConfigurationError);
    }
  });
});

describe('signWebhook', () => {
  it('creates signatures with every secret that the library of Standard Webhooks accepts', async () => {
    const at = Math.floor(Date.now() / 1000);
    const other = createWebhookSecret();
    const headers = await signWebhook({ id: 'e1', timestamp: at, body: BODY }, [SECRET, other]);
    for (const secret of [SECRET, other])
      expect(new Webhook(secret).verify(BODY, headers)).toMatchObject({ 'event-id': 'e1' });
  });
});
