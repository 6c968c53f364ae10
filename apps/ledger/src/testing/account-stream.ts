import { AccountFrozen, AccountReleased } from '@ponte/contracts';
import type { DomainEvent } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { derivedId, isoTime } from '@ponte/kernel';
import type { MemoryEventStore } from '@ponte/testing';
import type { LedgerUnderTest } from './ledger-under-test';
import { ACCOUNT } from './ledger-under-test';

/**
 * Freezes and releases of the account, as onboarding records them, at the time of the ledger under test. They do not
 * change what onboarding answers about the account.
 */
export class AccountStream {
  /** The revision of the stream. */
  private revision = -1;

  constructor(private readonly ledger: LedgerUnderTest<MemoryEventStore>) {}

  async freeze(): Promise<void> {
    const byStaff = { requestedBy: 'one', confirmedBy: 'two' } as const;
    const frozen = {
      accountId: ACCOUNT,
      reason: 'court-order',
      evidence: null,
      ...byStaff,
      frozenAt: this.now,
    } as const;
    await this.append(new AccountFrozen(frozen));
  }

  async release(): Promise<void> {
    const byStaff = { requestedBy: 'one', confirmedBy: 'two' } as const;
    const released = {
      accountId: ACCOUNT,
      reason: 'resolved',
      evidence: null,
      ...byStaff,
      releasedAt: this.now,
    } as const;
    await this.append(new AccountReleased(released));
  }

  private get now(): string {
    return isoTime(this.ledger.now);
  }

  private async append({ type, data }: DomainEvent): Promise<void> {
    const commandId = derivedId('account', String(this.revision));
    const meta = { commandId, index: 0, count: 1, occurredAt: this.now, correlationId: commandId };
    const event = { id: eventId(commandId, 0), type, version: 1, data, meta };
    await this.ledger.store.append(`account-${ACCOUNT}`, this.revision, [event]);
    this.revision += 1;
  }
}
