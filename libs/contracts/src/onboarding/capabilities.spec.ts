import { CAPABILITIES, isCapability } from './capabilities';

it('the capabilities are the documented ones, including rate locks', () => {
  expect([...CAPABILITIES].sort()).toEqual([
    'auto-claim-rewards',
    'international-travels',
    'manage-holders',
    'pay-after-acceptance',
    'subaccounts-90-tier',
    'subaccounts-93.5-tier',
    'subaccounts-97-tier',
  ]);
  for (const name of [...CAPABILITIES, 'rate-lock-5m', 'rate-lock-end-of-day']) expect(isCapability(name)).toBe(true);
  for (const name of [
    '',
    'rate-lock-',
    'rate-lock-5M',
    'rate-lock--5m',
    'manage-holders ',
    `rate-lock-${'a'.repeat(41)}`,
  ])
    expect(isCapability(name)).toBe(false);
});
