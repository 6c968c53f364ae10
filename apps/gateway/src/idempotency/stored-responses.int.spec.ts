import 'reflect-metadata';
import { ERASED, isSealed } from '@ponte/event-sourcing';
import { isoTime } from '@ponte/kernel';
import { CHILD } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { as, credentialsFor, gateway, send, useTestGateway } from '../testing/route-requests';
import { ROUTES } from '../testing/routes';
import { WithdrawalEnvelopeDto } from '../api/withdrawals/withdrawal.dto';
import { Idempotency } from './idempotency.service';

useTestGateway();

const DAY_MS = 24 * 3_600_000;
/** Operations of a session accept no key. */
const KEYED = ROUTES.filter(({ method, reach }) => (method === 'POST' || method === 'PATCH') && reach !== 'session');
const CREATING = ROUTES.filter(({ method, answer }) => method === 'POST' && answer === WithdrawalEnvelopeDto);

describe('responses that are stored for an idempotency key', () => {
  it.each(CREATING.map((route) => [route.id, route] as const))(
    'are encrypted for %s, because they name the payee',
    async (id, route) => {
      const finish = jest.spyOn(gateway.engines.edgeState, 'finish');
      await send(route, CHILD, { ...as(KEY.partner), 'idempotency-key': `secret-${id}` });
      expect(finish.mock.calls.map(([, , { body }]) => body)).toEqual([
        expect.stringMatching(/^sealed:v1:gateway-answers-\d{4}-\d\d-\d\d:/),
      ]);
      finish.mockRestore();
    },
  );

  it('are encrypted for every operation that opens personal data for its response', async () => {
    const { edgeState, personalData } = gateway.engines;
    const [finish, open] = [jest.spyOn(edgeState, 'finish'), jest.spyOn(personalData, 'open')];
    const opening: string[] = [];
    const clear: string[] = [];
    for (const route of KEYED) {
      finish.mockClear();
      open.mockClear();
      await send(route, CHILD, { ...credentialsFor(route, KEY.partner), 'idempotency-key': `opened-${route.id}` });
      if (open.mock.calls.length === 0) continue;
      opening.push(route.id);
      clear.push(...finish.mock.calls.flatMap(([, , { body }]) => (isSealed(body) ? [] : [route.id])));
    }
    finish.mockRestore();
    open.mockRestore();
    expect(clear).toEqual([]);
    // The answers of the simulated services have personal data wherever the real ones have it.
    expect(opening).toEqual(expect.arrayContaining(['create-withdrawal', 'replay-webhook-delivery']));
  });

  it('cannot be decrypted once they have expired, not even from a backup', async () => {
    const { edgeState, personalData, logger } = gateway.engines;
    // The running gateway has already destroyed the keys of the past, so this one runs in the future.
    const now = Date.now() + 100 * DAY_MS;
    const ofDay = (age: number) =>
      personalData.seal(`gateway-answers-${isoTime(now - age * DAY_MS).slice(0, 10)}`, `${age} days old`);
    const [old, recent] = [await ofDay(4), await ofDay(1)];
    await new Idempotency(edgeState, personalData, { now: () => now }, logger, { isSane: true }).sweep();
    expect([await personalData.open(old), await personalData.open(recent)]).toEqual([ERASED, '1 days old']);
  });

  it('are not deleted by a process whose clock is wrong, and neither are the nonces of requests that are still valid', async () => {
    const { edgeState, personalData, logger, systemClock } = gateway.engines;
    const now = systemClock.now() + 200 * DAY_MS;
    const recent = await personalData.seal(`gateway-answers-${isoTime(now - 4 * DAY_MS).slice(0, 10)}`, 'recent');
    expect(await edgeState.rememberNonce('key', 'once', systemClock.now() + DAY_MS)).toBe(true);
    await new Idempotency(edgeState, personalData, { now: () => now }, logger, { isSane: false }).sweep();
    expect(await personalData.open(recent)).toBe('recent');
    expect(await edgeState.rememberNonce('key', 'once', systemClock.now() + DAY_MS)).toBe(false);
  });
});
