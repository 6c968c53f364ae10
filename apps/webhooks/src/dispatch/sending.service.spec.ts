import type { PublishedEnvelope } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { SealBroken } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import type { Endpoint } from '../endpoints/endpoints.state';
import { signature, SignedRequests } from './sending.service';

const NEW: Sealed = 'sealed:v1:e:new';
const OLD: Sealed = 'sealed:v1:e:old';
const NAME: Sealed = 'sealed:v1:person:name';
const NOW_MS = Date.parse('2026-06-02T12:00:00.000Z');
const TIMESTAMP = String(NOW_MS / 1_000);
const CLEAR: Readonly<Record<string, string>> = { [NEW]: 'whsec_bmV3', [OLD]: 'whsec_b2xk', [NAME]: 'Maria' };

const ENVELOPE = {
  eventId: 'event-1',
  eventType: 'deposit-processed',
  payload: { 'deposit-id': 'd', 'source-legal-name': NAME },
} as unknown as PublishedEnvelope;
const ENDPOINT = {
  url: 'https://partner.example/hooks',
  secret: NEW,
  previousSecret: { secret: OLD, until: '2026-06-03T00:00:00.000Z' },
} as unknown as Endpoint;

/** Requests made while these texts cannot be opened. */
function requests(failing: Readonly<Record<string, Error>>): SignedRequests {
  const open = async (sealed: Sealed): Promise<string> => {
    const error = failing[sealed];
    if (error) throw error;
    return CLEAR[sealed] ?? '';
  };
  const personalData = { open } as never;
  const clock = { now: () => NOW_MS };
  return new SignedRequests(personalData, clock, clock, { error: () => undefined });
}
const made = (failing: Readonly<Record<string, Error>>) => requests(failing).make(ENDPOINT, ENVELOPE);
const signed = (body: string, ...secrets: Sealed[]): string =>
  secrets.map((secret) => signature(CLEAR[secret] ?? '', 'event-1', TIMESTAMP, body)).join(' ');

describe('the request of a webhook', () => {
  it('has the same id when a person can no longer be decrypted, and its signature is that of the body sent', async () => {
    const [before, after] = [await made({}), await made({ [NAME]: new SealBroken() })];
    expect([before.body, after.body].map((body) => JSON.parse(body) as object)).toMatchObject([
      { 'event-id': 'event-1', payload: { 'source-legal-name': 'Maria' } },
      { 'event-id': 'event-1', payload: { 'source-legal-name': '[unavailable]' } },
    ]);
    for (const { headers, body } of [before, after])
      expect(headers).toMatchObject({ 'webhook-id': 'event-1', 'webhook-signature': signed(body, NEW, OLD) });
    expect(after.personal).toEqual([]);
  });

  it('is signed with the new secret alone when the one before the rotation cannot be decrypted', async () => {
    const { headers, body } = await made({ [OLD]: new SealBroken() });
    expect(headers['webhook-signature']).toBe(signed(body, NEW));
  });

  it('is never made without a signature', async () => {
    const broken = new SealBroken();
    await expect(made({ [NEW]: broken, [OLD]: broken })).rejects.toThrow(SealBroken);
  });

  it.each([NAME, NEW, OLD])('is not made while a key cannot be read (%s)', async (sealed) => {
    await expect(made({ [sealed]: new Unavailable('service-unavailable') })).rejects.toThrow(Unavailable);
  });
});
