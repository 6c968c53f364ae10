import { ExternalIdReleased, ExternalIdReserved } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import type { Reserve } from '../order/external-id.decider';
import { EXTERNAL_ID_REFUSALS, KEY_REFUSALS, externalId } from '../order/external-id.decider';
import { AT } from './acceptance.testing';

describe('an external id', () => {
  const until = '2026-03-02T12:15:00.000Z';
  const reserved = (orderId: string, fundingId: string) =>
    new ExternalIdReserved({ accountId: 'child', orderId, fundingId, until });
  const released = (orderId: string, fundingId: string) =>
    new ExternalIdReleased({ accountId: 'child', orderId, fundingId });
  const reserve = (orderId: string, fundingId: string, over: Partial<Reserve> = {}): Reserve => ({
    kind: 'reserve',
    accountId: 'child',
    orderId,
    fundingId,
    until,
    at: AT,
    unused: null,
    refusals: EXTERNAL_ID_REFUSALS,
    ...over,
  });
  const given = (
    ...past: Parameters<ReturnType<typeof scenario<never, never, ExternalIdReserved | ExternalIdReleased>>['given']>
  ) => scenario(externalId).given(...past);

  it('can be reserved for only one order', () => {
    given().when(reserve('order-1', 'hold-1')).then(reserved('order-1', 'hold-1'));
    given(reserved('order-1', 'hold-1')).when(reserve('order-1', 'hold-1')).then();
    const refused = given(reserved('order-1', 'hold-1')).when(reserve('order-2', 'hold-2')).refusal() as Refusal;
    expect(refused.violations).toEqual([
      expect.objectContaining({ code: 'external-id-already-used', path: 'external-id' }),
    ]);
  });

  it('is kept for one order as an idempotency key is, which is refused with a code of its own', () => {
    const key = { refusals: KEY_REFUSALS } as const;
    const refused = given(reserved('order-1', 'hold-1')).when(reserve('order-2', 'hold-2', key));
    expect((refused.refusal() as Refusal).violations).toEqual([
      expect.objectContaining({ code: 'idempotency-key-reused', path: '' }),
    ]);
  });

  it('is refused for now while its order may still be placed, if it is an idempotency key', () => {
    const codeFor = (refusals: Reserve['refusals']) =>
      (
        given(reserved('order-1', 'hold-1'))
          .when(reserve('order-2', 'hold-2', { refusals, unused: 'order-1' }))
          .refusal() as Refusal
      ).code;
    expect(codeFor(KEY_REFUSALS)).toBe('idempotency-in-progress');
    expect(codeFor(EXTERNAL_ID_REFUSALS)).toBe('external-id-already-used');
  });

  it('stays with the order while one of its acceptances has not failed', () => {
    const both = [reserved('order-1', 'hold-1'), reserved('order-1', 'hold-2')];
    given(reserved('order-1', 'hold-1')).when(reserve('order-1', 'hold-2')).then(reserved('order-1', 'hold-2'));
    given(...both)
      .when({ kind: 'release', accountId: 'child', orderId: 'order-1', fundingId: 'hold-2' })
      .then(released('order-1', 'hold-2'));
    expect(given(...both, released('order-1', 'hold-2')).state()).toMatchObject({
      status: 'reserved',
      claims: ['hold-1'],
    });
    given(...both, released('order-1', 'hold-2'))
      .when({ kind: 'release', accountId: 'child', orderId: 'order-1', fundingId: 'hold-2' })
      .then();
    expect(given(...both, released('order-1', 'hold-2'), released('order-1', 'hold-1')).state()).toEqual({
      status: 'free',
    });
  });

  it('is taken over from an order that was not placed with it, some time after its quote expired', () => {
    const past = [reserved('order-1', 'hold-1'), reserved('order-1', 'hold-2')];
    const late = reserve('order-2', 'hold-3', { at: '2026-03-02T12:17:00.000Z', unused: 'order-1' });
    given(...past)
      .when(late)
      .then(released('order-1', 'hold-1'), released('order-1', 'hold-2'), reserved('order-2', 'hold-3'));
    for (const over of [{ at: '2026-03-02T12:16:59.999Z' }, { unused: null }]) {
      expect(
        (
          given(...past)
            .when({ ...late, ...over })
            .refusal() as Refusal
        ).code,
      ).toBe('external-id-already-used');
    }
  });
});
