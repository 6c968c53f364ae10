import type { ChargeFailureCode } from './order-failures.domain';
import { ABOVE_MAXIMUM, chargeFailure, NO_LIQUIDITY, NOT_SETTLED, TARGET_REFUSED } from './order-failures.domain';

describe('the failures of an order', () => {
  const codes: ChargeFailureCode[] = ['brcode-expired', 'paid-late', 'amount-mismatch', 'payer-tax-id-mismatch'];

  it.each([...codes.map(chargeFailure), NOT_SETTLED, NO_LIQUIDITY, TARGET_REFUSED, ABOVE_MAXIMUM])(
    'are explained in complete sentences, as those of all resources are: $code',
    ({ message }) => expect(message).toMatch(/^(?:[A-Z][^.;]+\.(?: |$))+$/),
  );
});
