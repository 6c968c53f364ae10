import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { ask } from '@ponte/event-sourcing';
import type { AccountRecord } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MaybeLater } from '@ponte/kernel';
import { andThen, refuse } from '@ponte/kernel';

/**
 * The account as onboarding knows it now. The edge has checked that the caller reaches it, so one that is not open is
 * still being created.
 */
export const accountOf = (bus: MessageBus, accountId: string, context: RequestContext): MaybeLater<AccountRecord> =>
  andThen(
    ask(bus, GetAccount, { accountId }, context),
    (account) => account ?? refuse('account-not-active', 'the account is not active'),
  );
