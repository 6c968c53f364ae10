import { Injectable } from '@nestjs/common';
import type { AccountRecord, AccountStanding, HolderRecord } from '@ponte/contracts';
import type { CommandSource, RequestContext } from '@ponte/event-sourcing';
import { isUuid, pick } from '@ponte/kernel';
import { defineRepository } from '@ponte/nest';
import type { AccountCommand } from './account.decider';
import { account } from './account.decider';
import type { OpenedAccount } from './account.state';
import { opened } from './account.state';
import { AccountReadModel } from './accounts.read-model';

@Injectable()
export class Accounts extends defineRepository(account, AccountReadModel) {
  /** Null if no account has this id. A text that is not an id is not looked up. */
  async find(accountId: string): Promise<OpenedAccount | null> {
    const state = isUuid(accountId) ? await this.load(accountId) : null;
    return state === null || state.status === 'absent' ? null : state;
  }

  async recordOf(accountId: string): Promise<AccountRecord> {
    return accountRecord(opened(await this.load(accountId)));
  }

  async record(
    accountId: string,
    command: CommandSource<AccountCommand>,
    context: RequestContext,
  ): Promise<AccountRecord> {
    return accountRecord(opened(await this.execute(accountId, command, context)));
  }
}

/** The account as shown in lists and to other services, without personal data. */
export function accountRecord({ status, terms, capabilities, standing: { pending } }: OpenedAccount): AccountRecord {
  return {
    ...pick(terms, 'accountId', 'parentId', 'alias'),
    status,
    ...(pending && { pendingStep: pending.step, pendingSince: pending.requestedAt }),
    ...pick(terms, 'externalId', 'onboardingMode'),
    capabilities,
    taxIdFingerprint: terms.taxIdFingerprint,
    createdAt: terms.request?.requestedAt ?? terms.openedAt,
  };
}

/** The personal fields, sealed. */
export function holderRecord({ terms, bankAccount }: OpenedAccount): HolderRecord {
  const { accountId, holderId, legalName, taxId } = terms;
  return { accountId, holderId, legalName, taxId, bankAccount };
}

/**
 * For staff: the record, and why the account is frozen or about to be. Without the evidence, which is personal data.
 */
export function accountStanding(state: OpenedAccount): AccountStanding {
  const { pending, freezes, history } = state.standing;
  return {
    account: accountRecord(state),
    pending: pending && withoutEvidence(pending),
    freezes: freezes.map(withoutEvidence),
    history,
  };
}

function withoutEvidence<T extends { readonly evidence: unknown }>({ evidence: _, ...shown }: T): Omit<T, 'evidence'> {
  return shown;
}
