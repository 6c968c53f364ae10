import type { Violation } from '@ponte/kernel';
import { evmAddressViolations } from '@ponte/kernel';
import { PLACING } from '../../gateway/src/api/orders/orders.operations';
import { usualErrors } from '../../gateway/src/openapi/usual-errors';
import * as acceptance from '../../orders/src/acceptance/acceptance-violations.domain';
import { brcodeExpiration } from '../../orders/src/acceptance/brcode-expiration.domain';
import * as externalIds from '../../orders/src/order/external-id.decider';
import * as refusals from '../../orders/src/order/order.errors';

const isViolation = (value: unknown): value is Violation =>
  typeof value === 'object' && value !== null && 'code' in value && 'path' in value && 'message' in value;

const codeOf = (refuse: () => unknown): string => {
  try {
    refuse();
  } catch (error) {
    return (error as { code: string }).code;
  }
  throw new Error('expected a refusal');
};

const AT = '2026-03-02T12:00:00.000Z';
const WINDOWS = { brcodeSeconds: 1, fxBrcodeSeconds: 1, minimumBrcodeSeconds: 2 };
const FX_QUOTE = { sourceAsset: 'fiat/brl', targetAsset: 'eth-base/usdc', rateLock: null, expiresAt: AT } as never;
const ORDER = { orderId: 'o', accountId: 'a', parentId: 'p' } as never;

it('the operation that accepts a quote lists every error that the acceptance refuses with', () => {
  const constants = [acceptance, externalIds, refusals].flatMap((file) => Object.values(file).filter(isViolation));
  const codes = new Set([
    ...constants.map(({ code }) => code),
    ...evmAddressViolations('nothing', 'p').map(({ code }) => code),
    ...evmAddressViolations('0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'p').map(({ code }) => code),
    codeOf(() => brcodeExpiration(FX_QUOTE, AT, WINDOWS)),
    codeOf(() => refusals.refuseAccepted(ORDER, 'a')),
  ]);
  expect([...codes]).toEqual(
    expect.arrayContaining(['wallet-not-fx-whitelisted', 'invalid-address', 'bad-address-checksum', 'quote-expired']),
  );
  const listed = new Set<string>([
    ...usualErrors({ ...PLACING, id: 'create-order', summary: '', reach: 'account' }, 'POST'),
    ...(PLACING.errors ?? []),
  ]);
  expect([...codes].filter((code) => !listed.has(code))).toEqual([]);
});
