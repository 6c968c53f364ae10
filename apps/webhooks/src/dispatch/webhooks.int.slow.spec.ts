import 'reflect-metadata';
import { DepositConfirmed, DepositCreated, DepositCredited, DepositVoided } from '@ponte/contracts';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { undiciHttp } from '../outgoing-http/adapters/undici.outgoing-http.adapter';
import { MAX_IN_FLIGHT } from './endpoint-limits/endpoint-concurrency-limiter';
import { targetRules } from '../endpoints/target.domain';
import { AT, CHILD, PARTNER } from '../testing/fixtures';
import { WebhooksUnderTest } from '../testing/webhooks-under-test';
import { orderIds, SendingUnderTest } from '../testing/sending-under-test';

describe('webhooks', () => {
  const sending = new SendingUnderTest();

  it('notify the account and its parent of an order, signed, in order and once per event', async () => {
    await sending.webhooks.endpoint(sending.receiver, '/child');
    await sending.webhooks.endpoint(sending.receiver, '/partner', PARTNER);
    await sending.webhooks.endpoint(sending.receiver, '/completed', CHILD, ['order-completed']);
    const [id = ''] = orderIds('story', 1);
    await sending.place([id]);
    await eventually(() => {
      for (const path of ['/child', '/partner']) expect(sending.sequences(path, id)).toEqual([1, 2, 3]);
      expect(sending.receiver.delivered('/completed').map(({ body }) => body['event-type'])).toEqual([
        'order-completed',
      ]);
    });
    expect(sending.receiver.heard).toHaveLength(7);
    expect(sending.receiver.heard.every(({ verified }) => verified)).toBe(true);
    const [first] = sending.receiver.delivered('/child');
    expect(first?.body).toMatchObject({
      'event-id': first?.id,
      'event-type': 'order-created',
      'account-id': CHILD,
      'resource-type': 'order',
      'resource-id': id,
      'api-version': 'v1',
    });
    expect(first?.headers['content-type']).toBe('application/json');
    await sending.published();
    expect((await sending.webhooks.outbox(CHILD)).map(({ envelope }) => envelope.eventId)).toEqual(
      sending.receiver.delivered('/child').map(({ id: eventId }) => eventId),
    );
  });

  it('contain personal fields in clear text, which are sealed in the outbox and the deliveries', async () => {
    await sending.webhooks.endpoint(sending.receiver, '/deposits');
    const seal = (text: string) => sending.webhooks.engines.personalData.seal('payer-1', text);
    const depositId = derivedId('deposit', '1');
    const coordinates = {
      sourceTaxId: await seal('52998224725'),
      sourceTaxIdFingerprint: 'f',
      sourceLegalName: await seal('Canary Person'),
      sourceBankCode: '12345678',
      sourceType: 'checking',
      sourceAccountNumber: await seal('777-1'),
      sourceBranchCode: await seal('0001'),
      target: 'T',
    };
    const common = { depositId, type: 'pix', asset: 'fiat/brl', amount: '50.00', orderId: null, coordinates } as const;
    await sending.webhooks.append(
      `deposit-${depositId}`,
      NO_STREAM,
      new DepositCreated({
        ...common,
        accountId: CHILD,
        parentId: PARTNER,
        endToEndId: 'E',
        settledAt: AT,
        createdAt: AT,
      }),
      new DepositConfirmed({ depositId, accountId: CHILD, confirmedAt: AT }),
      new DepositCredited({ ...common, accountId: CHILD, processedAt: AT }),
    );
    const heard = await eventually(
      () => sending.receiver.delivered('/deposits')[0] ?? Promise.reject(new Error('nothing yet')),
    );
    expect(heard.verified).toBe(true);
    expect(heard.body.payload).toMatchObject({
      'source-tax-id': '52998224725',
      'source-legal-name': 'Canary Person',
      'source-account-number': '777-1',
      'source-branch-code': '0001',
      'source-bank-code': '12345678',
    });
    const refused = { ...common, depositId: derivedId('deposit', '2') };
    await sending.webhooks.append(
      `deposit-${refused.depositId}`,
      NO_STREAM,
      new DepositCreated({
        ...refused,
        accountId: CHILD,
        parentId: PARTNER,
        endToEndId: 'E2',
        settledAt: AT,
        createdAt: AT,
        coordinates,
      }),
      new DepositVoided({ ...refused, accountId: CHILD, voidedAt: AT, reason: 'payer-tax-id-mismatch', returnId: 'r' }),
    );
    const voided = await eventually(
      () => sending.receiver.delivered('/deposits')[1] ?? Promise.reject(new Error('nothing yet')),
    );
    expect(voided.body.payload).toMatchObject({
      'source-tax-id': '***.982.247-**',
      'source-legal-name': '***',
      'source-account-number': '***',
    });
    for await (const slice of sending.webhooks.engines.store.subscribe()) {
      expect(JSON.stringify(slice.events)).not.toMatch(/52998224725|Canary|whsec_/);
      if (slice.caughtUp) break;
    }
  });

  it('are delivered by a 200 with an endless body, which delays nothing', async () => {
    sending.receiver.behaviours.set('/endless', { status: 200, endless: true });
    await sending.webhooks.endpoint(sending.receiver, '/endless');
    const ids = orderIds('endless', 20);
    await sending.place(ids);
    await eventually(() => {
      for (const id of ids) expect(sending.sequences('/endless', id)).toEqual([1, 2, 3]);
    });
    expect(sending.receiver.heard).toHaveLength(60);
  });

  it('limit the connections of a receiver that hangs, which does not slow down other receivers', async () => {
    sending.receiver.behaviours.set('/tar-pit', 'hang');
    await sending.webhooks.endpoint(sending.receiver, '/tar-pit');
    await sending.webhooks.endpoint(sending.receiver, '/quick');
    const ids = orderIds('tar', 100);
    await sending.place(ids);
    await eventually(() => {
      // On a busy machine a response may take longer than 5 s; the webhook is then sent again with the same id.
      for (const id of ids) expect([...new Set(sending.sequences('/quick', id))]).toEqual([1, 2, 3]);
    }, 25_000);
    expect(new Set(sending.receiver.delivered('/quick').map(({ id }) => id)).size).toBe(300);
    expect(sending.receiver.open.get('/tar-pit')?.most).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  });

  it('wait up to 60 s for the previous event about the same resource', async () => {
    WebhooksUnderTest.stopTime();
    sending.receiver.behaviours.set('/order', { status: 500 });
    const endpointId = await sending.webhooks.endpoint(sending.receiver, '/order');
    const [id = ''] = orderIds('waits', 1);
    await sending.place([id]);
    await eventually(async () => {
      const rows = (await sending.webhooks.deliveries()).filter(
        (row) => row.state === 'pending' && row.endpoint_id === endpointId,
      );
      expect(rows.map(({ attempts }) => attempts).sort()).toEqual([0, 0, 1]);
    });
    expect(sending.receiver.at('/order')).toHaveLength(1);
    WebhooksUnderTest.aheadMs += 61_000;
    await eventually(() => {
      expect(new Set(sending.receiver.at('/order').map(({ body }) => body['sequence']))).toEqual(new Set([1, 2, 3]));
    });
  });

  it('are not sent without TLS outside the sandbox, and a time-out differs from a refused connection', async () => {
    const request = { url: sending.receiver.url('/plain'), headers: {}, body: '{"payload":{}}' };
    const [production, sandbox, hasty] = [
      undiciHttp({ rules: targetRules('production') }),
      undiciHttp({ rules: targetRules('sandbox'), totalMs: 60_000 }),
      undiciHttp({ rules: targetRules('sandbox'), totalMs: 1_000 }),
    ];
    expect(await production.post(request)).toEqual({ kind: 'failed', reason: 'target-refused' });
    expect(sending.receiver.at('/plain')).toEqual([]);
    sending.receiver.behaviours.set('/plain', 'hang');
    expect(await hasty.post(request)).toEqual({ kind: 'failed', reason: 'timed-out' });
    sending.receiver.behaviours.set('/plain', 'drop');
    expect(await sandbox.post(request)).toEqual({ kind: 'failed', reason: 'connection-failed' });
    expect(await sandbox.post({ ...request, url: 'http://127.0.0.1:1/' })).toEqual({
      kind: 'failed',
      reason: 'connection-failed',
    });
    await Promise.all([production, sandbox, hasty].map((http) => http.close()));
  });
});
