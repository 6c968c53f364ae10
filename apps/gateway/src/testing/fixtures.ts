import { GetAccount, GetAccountListing, GetAccountParent, GetApiKey, ListAccounts } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { answerOnboarding } from './onboarding-fixtures';
import { answerReview } from './staff-fixtures';
import type { StubBus } from './stub-bus';
import type { Fixtures } from './accounts';
import { CHILD, PARTNER, PENDING, STRANGER, STRANGERS_CHILD, account } from './accounts';
import { JWT_KEY_ID, KEY, bearer, jwtKeys } from './api-keys';
import { answerCertificates, answerChains } from './answers/chain-answers';
import { answerMoney } from './answers/money-answers';
import { answerSetAside } from './answers/set-aside-answers';
import { answerSuspense } from './answers/suspense-answers';
import { answerFindings } from './answers/finding-answers';
import { answerWithdrawals } from './answers/withdrawal-answers';
import { answerStaff } from './answers/operator-answers';
import { answerWebhooks } from './answers/webhook-answers';

/** Makes the bus respond as the services would for these accounts. */
export function populate(bus: StubBus, personalData: PersonalData): Fixtures {
  const accounts = new Map(
    [
      account(PARTNER, null, 'Partner'),
      account(CHILD, PARTNER, 'Child'),
      account(STRANGER, null, 'Stranger'),
      account(STRANGERS_CHILD, STRANGER, 'Child of a stranger'),
    ].map((one) => [one.accountId, one]),
  );
  const keys = new Map(
    [
      bearer(KEY.partner, PARTNER),
      bearer(KEY.readOnly, PARTNER, { access: 'read-only' }),
      bearer(KEY.child, CHILD),
      bearer(KEY.stranger, STRANGER),
      bearer(KEY.revoked, PARTNER, { revoked: true }),
      bearer(KEY.elsewhere, PARTNER, { ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'] }),
      bearer(KEY.slow, PARTNER, { rateLimits: { writesPerSecond: 1, writeBurst: 2, readsPerSecond: 1, readBurst: 3 } }),
      {
        ...bearer(KEY.partner, PARTNER),
        keyId: JWT_KEY_ID,
        credential: {
          kind: 'jwt' as const,
          algorithm: 'ES256' as const,
          publicKey: jwtKeys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        },
      },
    ].map((one) => [one.keyId, one]),
  );
  bus.on(GetApiKey, ({ keyId }) => keys.get(keyId) ?? null);
  bus.on(GetAccount, ({ accountId }) => accounts.get(accountId) ?? null);
  bus.on(GetAccountParent, ({ accountId }) => accounts.get(accountId) ?? PENDING.get(accountId) ?? null);
  bus.on(GetAccountListing, ({ accountId }) => accounts.get(accountId) ?? PENDING.get(accountId) ?? null);
  bus.on(ListAccounts, ({ accountId }) => ({
    items: [...accounts.values()].filter((one) => one.accountId === accountId || one.parentId === accountId),
    next: null,
  }));
  answerMoney(bus, personalData);
  answerWithdrawals(bus, personalData);
  answerSuspense(bus, personalData);
  answerSetAside(bus, personalData);
  answerChains(bus);
  answerCertificates(bus);
  answerWebhooks(bus, personalData);
  answerOnboarding(bus, personalData);
  answerStaff(bus, accounts, keys);
  answerReview(bus, personalData);
  answerFindings(bus, personalData);
  return { accounts, keys };
}
