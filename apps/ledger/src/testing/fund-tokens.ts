import type { TokenMovementPurpose } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { EventStore } from '@ponte/event-sourcing';
import { ReceiveTokenMovementCommand } from '../token-movement/receive-token-movement.command';
import type { LedgerUnderTest } from './ledger-under-test';
import { ACCOUNT, PARENT, START } from './ledger-under-test';

/** An address that is on no sanctions list. */
export const CLEAN_ADDRESS = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf';

/** Credits the account with 100 BRLV on Base from another Ponte account. They become available a moment later. */
export async function fundTokens<Store extends EventStore>(ledger: LedgerUnderTest<Store>): Promise<void> {
  const id = derivedId('movement', 'funds');
  const receiver = { accountId: ACCOUNT, parentId: PARENT, walletId: 'w2' };
  const purpose: TokenMovementPurpose = {
    kind: 'token-movement',
    id,
    owner: { kind: 'transfer', id },
    accountId: 'sender',
    asset: 'eth-base/brlv',
    amount: '100.000000000000000000',
    walletIds: ['w'],
    from: CLEAN_ADDRESS,
    to: CLEAN_ADDRESS,
    receiver,
  };
  const confirmed = { chain: 'eth-base', txHash: '0xa', minedAt: START } as const;
  await ledger.run(new ReceiveTokenMovementCommand({ purpose, ...confirmed }, ledger.context()));
}
