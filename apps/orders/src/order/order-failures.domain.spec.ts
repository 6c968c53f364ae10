import { RETRYABLE_PAYMENT_FAILURES } from '@ponte/contracts';
import type { ChargeFailureCode } from './order-failures.domain';
import {
  ABOVE_MAXIMUM,
  ACCOUNT_NOT_ACTIVE,
  chargeFailure,
  NO_LIQUIDITY,
  NOT_SETTLED,
  TARGET_REFUSED,
} from './order-failures.domain';

describe('the failures of an order', () => {
  const codes: ChargeFailureCode[] = ['brcode-expired', 'paid-late', 'amount-mismatch', 'payer-tax-id-mismatch'];

  it.each(codes)('can be retried exactly if the payment for it can: %s', (code) =>
    expect(chargeFailure(code).retryable).toBe(RETRYABLE_PAYMENT_FAILURES.has(code)),
  );

  it.each([...codes.map(chargeFailure), NOT_SETTLED, NO_LIQUIDITY, TARGET_REFUSED, ACCOUNT_NOT_ACTIVE, ABOVE_MAXIMUM])(
    'are explained in complete sentences, as those of all resources are: $code',
    ({ message }) => expect(message).toMatch(/^(?:[A-Z][^.;]+\.(?: |$))+$/),
  );

  it('say whether another order with the same terms may succeed', () => {
    for (const failure of [...codes.map(chargeFailure), NOT_SETTLED, NO_LIQUIDITY])
      expect(failure.retryable).toBe(true);
    for (const failure of [TARGET_REFUSED, ACCOUNT_NOT_ACTIVE, ABOVE_MAXIMUM]) expect(failure.retryable).toBe(false);
  });
});
