import {
  AT,
  terms,
  brcodeTerms,
  place,
  placedEvent,
  brcodePlaced,
  abandoned,
  startedAtOnce,
  started,
  completed,
  rolledBack,
  abandon,
  given,
  refusal,
} from './order-events.testing';
import { OrderPlaced, OrderProcessingStarted } from '@ponte/contracts';
import { newFundingId } from './order-ids.domain';
import { FundingAbandoned } from './order.errors';

describe('an order is placed', () => {
  // Balance orders go on by themselves, brcode orders are "created (waiting for the Pix)".
  it('from an open quote: processing at once when its money is held, waiting when it is to be paid', () => {
    given().when(place()).then(placedEvent, startedAtOnce);
    given()
      .when(place({ terms: brcodeTerms }))
      .then(brcodePlaced);
  });

  // Quote rule 1: valid until its expires-at; reliability A5: one clock reading decides, acceptable iff decided-at <
  // expires-at.
  it.each([
    ['1 ms before', '2026-03-02T12:00:00.001Z', true],
    ['at', AT, false],
    ['1 ms after', '2026-03-02T11:59:59.999Z', false],
  ])('%s the expiry of the quote: allowed or not', (_, quoteExpiresAt, allowed) => {
    if (allowed) given().when(place({ quoteExpiresAt })).then(placedEvent, startedAtOnce);
    else
      expect(refusal([], place({ quoteExpiresAt })).violations).toEqual([
        expect.objectContaining({ code: 'quote-expired', path: 'quote-id' }),
      ]);
  });

  // "A second acceptance […] is 422 quote-already-accepted, whose details[0] carries order-id when the caller may see
  // that order."
  it.each([
    ['its account', 'account-1', true],
    ['the parent of its account', 'partner-1', true],
    ['anybody else', 'account-2', false],
  ])('once: %s is refused', (_, callerAccountId, reported) => {
    for (const past of [
      [placedEvent],
      [placedEvent, started],
      [placedEvent, started, completed],
      [placedEvent, rolledBack('created')],
    ]) {
      const {
        violations: [violation],
      } = refusal(
        past,
        place({ callerAccountId, terms: { ...terms, funding: { kind: 'account-balance', holdId: 'hold-2' } } }),
      );
      expect(violation).toMatchObject({ code: 'quote-already-accepted', path: 'quote-id' });
      expect(violation?.['order-id']).toBe(reported ? 'order-1' : undefined);
    }
  });

  it('a second acceptance is refused as accepted before it is refused as expired', () => {
    expect(refusal([placedEvent], place({ quoteExpiresAt: AT })).code).toBe('quote-already-accepted');
  });
});

describe('an acceptance is given up', () => {
  it('while no order was placed, once for what it had taken', () => {
    given().when(abandon('hold-1')).then(abandoned('hold-1'));
    given(abandoned('hold-1')).when(abandon('hold-1')).then();
    given(abandoned('hold-1')).when(abandon('hold-2')).then(abandoned('hold-2'));
  });

  it('never once the order was placed', () => {
    given(placedEvent).when(abandon('hold-1')).then();
    given(placedEvent, rolledBack('created')).when(abandon('hold-2')).then();
  });

  it('and no order can be placed with what was given up; with another it can', () => {
    const past = [abandoned('hold-1'), abandoned('txid-9')];
    expect(
      given(...past)
        .when(place())
        .refusal(),
    ).toBeInstanceOf(FundingAbandoned);
    const other = { ...terms, funding: { kind: 'account-balance', holdId: 'hold-2' } as const };
    given(...past)
      .when(place({ terms: other }))
      .then(new OrderPlaced(other), new OrderProcessingStarted({ ...startedAtOnce.data, holdId: 'hold-2' }));
  });

  it('and its retry takes a new funding, the same at every try', () => {
    const first = newFundingId('account-balance', 'order-1', 'command-1', new Set());
    const second = newFundingId('account-balance', 'order-1', 'command-1', new Set([first]));
    expect(second).not.toBe(first);
    expect(newFundingId('account-balance', 'order-1', 'command-1', new Set([first]))).toBe(second);
    expect(newFundingId('account-balance', 'order-1', 'command-2', new Set([first]))).not.toBe(second);
    expect(newFundingId('brcode', 'order-1', 'command-1', new Set())).toMatch(/^[a-zA-Z0-9]{26,35}$/);
  });
});
