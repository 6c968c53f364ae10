import { serveVendorCallbacks } from '../../vendor/adapters/callback-server';
import { signatureOf } from '../../vendor/adapters/signed-callback';
import type { HttpScreeningOptions } from './http.screening.adapter';
import { SCREENING_FIELDS } from '../../checks.vendors';
import { HttpScreening } from './http.screening.adapter';

describe('A screening vendor over HTTP', () => {
  const vendor = (more: Partial<HttpScreeningOptions> = {}) =>
    new HttpScreening({
      url: 'http://127.0.0.1/screen',
      headers: { authorization: 'Bearer k' },
      fields: SCREENING_FIELDS,
      lists: {},
      bestScore: 100,
      threshold: 80,
      callback: null,
      timeoutMs: 60_000,
      warn: () => undefined,
      ...more,
    });

  it('delivers signed notices, and refuses a notice without a subject', async () => {
    const signature = {
      secrets: ['a secret of the vendor'],
      timestampHeader: 'x-timestamp',
      signatureHeader: 'x-signature',
    };
    const screening = vendor({ callback: signature });
    const door = await serveVendorCallbacks({
      host: '127.0.0.1',
      port: 0,
      routes: screening.routes('/callbacks/screening'),
      now: Date.now,
      warn: () => undefined,
    });
    const send = async (body: unknown): Promise<number> => {
      const text = JSON.stringify(body);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const response = await fetch(`http://127.0.0.1:${door.port}/callbacks/screening`, {
        method: 'POST',
        body: text,
        headers: {
          'x-timestamp': timestamp,
          'x-signature': `v1=${signatureOf('a secret of the vendor', timestamp, Buffer.from(text)).toString('hex')}`,
        },
      });
      return response.status;
    };
    const heard: unknown[] = [];
    try {
      await expect(send({ 'subject-ref': 'ref-1', 'event-id': 'e' })).resolves.toBe(503);
      screening.listen(async (notice) => {
        heard.push(notice);
      });
      await expect(send({ 'subject-ref': 'ref-1', 'event-id': 'e' })).resolves.toBe(204);
      await expect(send({ 'event-id': 'e' })).resolves.toBe(422);
    } finally {
      await door.close();
    }
    expect(heard).toEqual([{ subjectRef: 'ref-1', providerEventId: 'e' }]);
    expect(vendor().routes('/x')).toEqual([]);
  });
});
