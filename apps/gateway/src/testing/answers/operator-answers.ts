import type { BankState } from '@ponte/contracts';
import {
  ChangeCapabilities,
  CreateApiKey,
  GetWhitelistedWallets,
  ListAllAccounts,
  OpenAccount,
  RevokeApiKey,
  WhitelistWallet,
} from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { SAMPLE } from '../../api/samples';
import type { StubBus } from '../stub-bus';
import { PARTNER, account } from '../accounts';
import { KEY, bearer } from '../api-keys';
import type { Fixtures } from '../accounts';

export const BANK: BankState = {
  callbacks: 'prompt',
  returns: 'prompt',
  settlement: 'prompt',
  faults: [{ operation: 'put-charge', fault: 'done' }],
  received: '10.00',
  returned: '0.00',
};

export function answerStaff(bus: StubBus, accounts: Fixtures['accounts'], keys: Fixtures['keys']): void {
  bus.on(OpenAccount, ({ accountId, parentId, alias }) => account(accountId, parentId, alias));
  bus.on(ListAllAccounts, () => ({ items: [...accounts.values()], next: null }));
  bus.on(
    WhitelistWallet,
    ({ accountId }) => accounts.get(accountId) ?? refuse('account-not-found', 'there is no such account'),
  );
  bus.on(GetWhitelistedWallets, () => ({ wallets: [{ address: SAMPLE.wallet, fx: true }] }));
  bus.on(
    ChangeCapabilities,
    ({ accountId }) => accounts.get(accountId) ?? refuse('account-not-found', 'there is no such account'),
  );
  bus.on(CreateApiKey, (payload) => ({ ...payload, revoked: false }));
  bus.on(RevokeApiKey, ({ keyId }) => ({
    ...bearer(KEY.partner, PARTNER),
    keyId: keys.get(keyId)?.keyId ?? keyId,
    revoked: true,
  }));
}
