import { Inject, Injectable } from '@nestjs/common';
import type { AccountRecord, HolderRecord } from '@ponte/contracts';
import { GetAccount, GetHolder } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import { uuidFromCompact } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { pixCharge } from '../pix-charge/pix-charge.decider';

/** The account that a payment is for, found by the charge that it paid or by the account's own code. */
interface PixTarget {
  readonly accountId: string;
  readonly parentId: string | null;
  /** The order of the charge; null for the account's own code. */
  readonly orderId: string | null;
  /** Fingerprint of the holder's tax id if the account is open: a charge that waits belongs to an open account. */
  readonly holder: string | null;
}

/** Fingerprint of the holder's tax id. Null if there is no account, or it is closed. */
export const openHolderOf = (account: AccountRecord | null): string | null =>
  account === null || account.status === 'closed' ? null : account.taxIdFingerprint;

/** The states of a charge whose order waits for the payment. */
const WAITING: readonly string[] = ['requested', 'open'];

/** The form of the bank's txids; any other text belongs to no account. */
const TXID = /^[A-Za-z0-9]{1,35}$/;

/** Reads accounts from the onboarding service. */
@Injectable()
export class Accounts {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  get(accountId: string, context: RequestContext): Promise<AccountRecord | null> {
    return this.bus.request(GetAccount, { accountId }, context);
  }

  holder(accountId: string, context: RequestContext): Promise<HolderRecord | null> {
    return this.bus.request(GetHolder, { accountId }, context);
  }

  /** Null if the txid is neither that of one of our charges nor the compact id of an account. */
  async targetOf(txid: string | null, context: RequestContext): Promise<PixTarget | null> {
    if (txid === null || !TXID.test(txid)) return null;
    const { state } = await this.aggregates.load(pixCharge, txid);
    if (state.status !== 'none') {
      const { accountId, parentId, orderId, payerTaxIdFingerprint } = state.facts;
      const holder = WAITING.includes(state.status) ? payerTaxIdFingerprint : null;
      return { accountId, parentId, orderId, holder };
    }
    const accountId = uuidFromCompact(txid);
    const account = accountId === undefined ? null : await this.get(accountId, context);
    if (!account) return null;
    return { accountId: account.accountId, parentId: account.parentId, orderId: null, holder: openHolderOf(account) };
  }
}
