import type { DomainEvent, Recorded } from '@ponte/event-sourcing';
import { DepositCreated, DepositVoided } from '@ponte/contracts';
import type { PixCoordinates } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { payloadFaults } from '@ponte/testing';
import type { Publication } from './publication.domain';
import { NO_HISTORY, historyAfter, publicationsOf } from './publication.domain';
import type { SourceEvent } from './published-events.domain';

export const AT = '2026-03-02T12:00:00.000Z';
export const coordinates: PixCoordinates = {
  sourceTaxId: 'sealed:v1:p:1',
  sourceTaxIdFingerprint: 'f',
  sourceLegalName: 'sealed:v1:p:2',
  sourceBankCode: '12345678',
  sourceType: 'checking',
  sourceAccountNumber: 'sealed:v1:p:3',
  sourceBranchCode: 'sealed:v1:p:4',
  target: 'T',
};
export const deposit = { depositId: 'd', type: 'pix', asset: 'fiat/brl', amount: '50.00', orderId: null } as const;

/** A deposit to an account; null for a deposit to an unknown account. */
export const depositCreated = (accountId: string | null) =>
  new DepositCreated({
    ...deposit,
    accountId,
    parentId: accountId && 'partner',
    endToEndId: 'E1',
    coordinates,
    settledAt: AT,
    createdAt: AT,
  });
export const voided = (accountId: string | null) =>
  new DepositVoided({ ...deposit, accountId, voidedAt: AT, reason: 'payer-tax-id-mismatch', returnId: 'r' });

/** An order of the account `child` that is paid from its balance. */
export const orderPlaced = (externalId: string) =>
  new contracts.OrderPlaced({
    orderId: 'o',
    accountId: 'child',
    quoteId: 'q',
    parentId: 'partner',
    createdBy: 'partner',
    createdByApiKey: 'ak_test_1',
    externalId,
    createdAt: AT,
    sourceAsset: 'fiat/brl',
    targetAsset: 'eth-base/brlv',
    sourceAmount: '100.00',
    targetAmount: '100.000000000000000000',
    baseRate: '1.0000000000',
    effectiveRate: '1.0000000000',
    feeAmount: '0.00',
    feeAsset: 'fiat/brl',
    rateLock: null,
    charges: contracts.NO_CHARGES,
    settlement: 'mint',
    pixDelivery: null,
    sourceWalletAddress: null,
    target: { address: '0xabc', custody: true },
    funding: { kind: 'account-balance', holdId: 'h' },
  });

/** The publications of a stream with these events. Also checks each payload against its contract. */
export function published(stream: string, ...facts: DomainEvent[]): Publication[] {
  let history = NO_HISTORY;
  return facts.flatMap((recorded, revision) => {
    const event = {
      ...recorded,
      id: `${stream}/${revision}`,
      stream,
      revision,
      position: String(revision),
      version: 1,
      meta: { commandId: 'c', index: 0, count: 1, occurredAt: AT, correlationId: 'r' },
    } as unknown as Recorded<SourceEvent>;
    const found = publicationsOf(event, history);
    for (const {
      envelope: { eventType, payload: sent },
    } of found)
      expect([eventType, payloadFaults(eventType, sent)]).toEqual([eventType, []]);
    history = historyAfter(history, event);
    return found;
  });
}

/** Audience, event type, sequence and previous state of each publication. */
export const summaries = (publications: Publication[]) =>
  publications.map(({ audience, envelope: { eventType, sequence, previousState } }) => [
    audience,
    eventType,
    sequence,
    previousState,
  ]);

/** The payload of the first publication of this event type, or an empty object. */
export const payload = (publications: Publication[], kind: string) =>
  publications.find(({ envelope }) => envelope.eventType === kind)?.envelope.payload ?? {};
