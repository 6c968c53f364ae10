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

describe('placing an order', () => {
  // Specification: balance orders continue by themselves; brcode orders are "created (waiting for the Pix)".
  it('from an open quote starts processing at once when the money is held, and waits when it has to be paid', () => {
    given().when(place()).then(placedEvent, startedAtOnce);
    given()
      .when(place({ terms: brcodeTerms }))
      .then(brcodePlaced);
  });

  // A quote is valid until its expires-at. One clock reading decides; the quote can be accepted if and only if
  // decided-at < expires-at.
  it.each([
    ['1 ms before', '2026-03-02T12:00:00.001Z', true],
    ['at', AT, false],
    ['1 ms after', '2026-03-02T11:59:59.999Z', false],
  ])('%s the expiry of the quote is allowed or refused', (_, quoteExpiresAt, allowed) => {
    if (allowed) given().when(place({ quoteExpiresAt })).then(placedEvent, startedAtOnce);
    else
      expect(refusal([], place({ quoteExpiresAt })).violations).toEqual([
        expect.objectContaining({ code: 'quote-expired', path: 'quote-id' }),
      ]);
  });

  // Specification: "A second acceptance […] is 422 quote-already-accepted, whose details[0] carries order-id when the
  // caller may see that order."
  it.each([
    ['its account', 'account-1', true],
    ['the parent of its account', 'partner-1', true],
    ['any other account', 'account-2', false],
  ])('a second time is refused for %s', (_, callerAccountId, reported) => {
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

  it('a second time is refused as already accepted, even when the quote has expired', () => {
    expect(refusal([placedEvent], place({ quoteExpiresAt: AT })).code).toBe('quote-already-accepted');
  });
});

describe('abandoning an acceptance', () => {
  it('is recorded once per funding while no order was placed', () => {
    given().when(abandon('hold-1')).then(abandoned('hold-1'));
    given(abandoned('hold-1')).when(abandon('hold-1')).then();
    given(abandoned('hold-1')).when(abandon('hold-2')).then(abandoned('hold-2'));
  });

  it('does nothing once the order was placed', () => {
    given(placedEvent).when(abandon('hold-1')).then();
    given(placedEvent, rolledBack('created')).when(abandon('hold-2')).then();
  });

  it('prevents an order with the abandoned funding, but not one with another funding', () => {
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

  it('makes a retry reserve a new funding under an id that stays the same at every attempt', () => {
    const first = newFundingId('account-balance', 'order-1', 'command-1', new Set());
    const second = newFundingId('account-balance', 'order-1', 'command-1', new Set([first]));
    expect(second).not.toBe(first);
    expect(newFundingId('account-balance', 'order-1', 'command-1', new Set([first]))).toBe(second);
    expect(newFundingId('account-balance', 'order-1', 'command-2', new Set([first]))).not.toBe(second);
    expect(newFundingId('brcode', 'order-1', 'command-1', new Set())).toMatch(/^[a-zA-Z0-9]{26,35}$/);
  });
});
