import type { TransactionGivenUp } from '@ponte/contracts';
import { FindAddressHits, RequestTokenMovement } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';
import { OWNER, uuid } from '../testing/certificates-under-test';

const DESTINATION = `0x${'cd'.repeat(20)}`;
const ASSET = 'eth-base/brlv';
/** Several rounds of the sender. */
const SCREEN_AGAIN_MS = 100;
const service = CertificatesForEachTest.of({ screenAgainMs: SCREEN_AGAIN_MS });
const later = () => new Promise((resolve) => setTimeout(resolve, 2 * SCREEN_AGAIN_MS));

it('tokens in suspense are not sent if a list names the address while they wait to be signed', async () => {
  const { movements, chains } = service;
  let hits: readonly object[] = [];
  movements.bus.handle(FindAddressHits.pattern, async () => ({ found: hits }));
  chains.base.fund(ASSET, (await movements.wallet(OWNER)) as Hex, 10n ** 18n);
  movements.statuses.set(OWNER, 'closed');
  chains.base.setReachable(false);
  const [movementId, id] = [uuid(), uuid()];
  const movement = {
    movementId,
    owner: { kind: 'suspense', id },
    accountId: OWNER,
    asset: ASSET,
    amount: '1',
  } as const;
  await eventually(() =>
    movements.bus.request(
      RequestTokenMovement,
      { ...movement, destination: DESTINATION, sourceWalletId: null },
      movements.context(),
    ),
  );
  hits = [{ address: DESTINATION, hits: [] }];
  await later();
  chains.base.setReachable(true);
  await eventually(() =>
    expect(
      movements.ofType('TransactionGivenUp').map(({ data }) => (data as TransactionGivenUp['data']).reason),
    ).toEqual(['compliance']),
  );
  // No review is opened, because staff can name another address.
  expect([movements.ofType('TransactionSigned'), movements.screened]).toEqual([[], []]);
});
