import type { DepositCreated, EnvelopePublished, WithdrawalCompleted } from '@ponte/contracts';
import { outboxEntries } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { txidOf } from '@ponte/kernel';
import Big from 'big.js';
import { availableFaults } from './available';
import type { MovementKind } from './mix';
import { MOVEMENT_ENDS } from './mix';
import { ofType } from '../../e2e/testing/trial-balance';

/** A movement that was answered, with the id of its resource. */
export interface EndedMovement {
  readonly kind: MovementKind;
  readonly id: string;
}
/** A wallet's token balance on the chain and the account's balance in the books. */
export interface HeldOnChain {
  readonly account: string;
  readonly asset: string;
  readonly chain: string;
  readonly books: string;
}
export interface BankPayment {
  readonly payment_id: string;
  readonly amount: string;
  readonly status: string;
}
export interface MovementEvidence {
  readonly log: readonly Recorded[];
  readonly movements: readonly EndedMovement[];
  /** Withdrawals and orders from before the load. */
  readonly before: ReadonlySet<string>;
  /** The payments recorded by the bank that pays withdrawals out. */
  readonly bank: readonly BankPayment[];
  readonly held: readonly HeldOnChain[];
  readonly partnerId: string;
}

interface Ids {
  readonly transferId?: string;
  readonly withdrawalId?: string;
  readonly depositId?: string;
}
/** The first and the last event of each kind of movement. */
const EVENTS: Readonly<Record<MovementKind, readonly [created: string, ended: string]>> = {
  'token-transfer': ['TransferCreated', 'TransferCompleted'],
  'nft-transfer': ['NftTransferCreated', 'NftTransferCompleted'],
  'pix-withdrawal': ['WithdrawalCreated', 'WithdrawalCompleted'],
  'ted-withdrawal': ['WithdrawalCreated', 'WithdrawalCompleted'],
  'token-withdrawal': ['WithdrawalCreated', 'WithdrawalCompleted'],
  'token-deposit': ['DepositCreated', 'DepositCredited'],
  'brl-deposit': ['DepositCreated', 'DepositCredited'],
};

/** Checks the movements and returns the faults found. */
export const movementFaultsOf = (evidence: MovementEvidence): string[] => [
  ...repeated(evidence.movements),
  ...onceInTheLog(evidence),
  ...availableFaults(evidence.log),
  ...payouts(evidence),
  ...evidence.held.flatMap(({ account, asset, chain, books }) =>
    new Big(chain).eq(books) ? [] : [`${account} has ${books} ${asset} by its books and ${chain} on the chain`],
  ),
  ...told(evidence),
];

function repeated(movements: readonly EndedMovement[]): string[] {
  const ids = new Set<string>();
  return movements.flatMap(({ kind, id }) => {
    const isKnown = ids.has(id);
    ids.add(id);
    return isKnown ? [`${kind} ${id} was the answer to two commands`] : [];
  });
}

/**
 * Each movement was created and ended exactly once, and the log has no transfer or withdrawal that was not answered.
 */
function onceInTheLog({ log, movements, before }: MovementEvidence): string[] {
  const faults: string[] = [];
  for (const type of new Set(Object.values(EVENTS).flat())) {
    const counts = new Map<string, number>();
    for (const { data } of ofType<Ids>(log, type)) {
      const id = data.transferId ?? data.withdrawalId ?? data.depositId ?? '';
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const { kind, id } of movements.filter((one) => EVENTS[one.kind].includes(type))) {
      if (counts.get(id) !== 1) faults.push(`${type} of ${kind} ${id} is ${counts.get(id) ?? 0} times in the log`);
      counts.delete(id);
    }
    // A transfer between accounts creates a deposit without a request.
    if (type.startsWith('Deposit')) continue;
    for (const id of counts.keys())
      if (!before.has(id)) faults.push(`${type} of ${id}, which is unknown to the callers`);
  }
  const origins = new Map<string, number>();
  for (const { data } of ofType<DepositCreated['data']>(log, 'DepositCreated'))
    if (data.endToEndId !== null) origins.set(data.endToEndId, (origins.get(data.endToEndId) ?? 0) + 1);
  for (const [id, count] of origins) if (count > 1) faults.push(`the payment ${id} is ${count} deposits`);
  return faults;
}

/** The bank has paid each completed withdrawal once with its amount, and nothing else. */
function payouts({ log, bank }: MovementEvidence): string[] {
  const paid = new Map(
    bank.filter(({ status }) => status === 'completed').map(({ payment_id, amount }) => [payment_id, amount]),
  );
  const faults: string[] = [];
  for (const { data } of ofType<WithdrawalCompleted['data']>(log, 'WithdrawalCompleted')) {
    if (data.target.method === 'token') continue;
    const id = txidOf(data.withdrawalId);
    if (paid.get(id) !== data.amount)
      faults.push(`withdrawal ${data.withdrawalId} of ${data.amount} is ${paid.get(id) ?? 'nothing'} at the bank`);
    paid.delete(id);
  }
  return [
    ...faults,
    ...[...paid].map(([id, amount]) => `the bank paid ${amount} as ${id}, which is not a completed withdrawal`),
  ];
}

/** Each movement's events are published with sequence numbers without gaps, and the last event is the expected end. */
function told({ log, movements, partnerId }: MovementEvidence): string[] {
  const published = new Map<string, { readonly sequence: number; readonly eventType: string }[]>();
  for (const { stream, data } of ofType<EnvelopePublished['data']>(log, 'EnvelopePublished')) {
    if (stream !== `outbox-${partnerId}`) continue;
    for (const { envelope } of outboxEntries(data))
      published.set(envelope.resourceId, [...(published.get(envelope.resourceId) ?? []), envelope]);
  }
  return movements.flatMap(({ kind, id }) => {
    const events = [...(published.get(id) ?? [])].sort((a, b) => a.sequence - b.sequence);
    const numbered = events.every(({ sequence }, at) => sequence === at + 1);
    return numbered && events.at(-1)?.eventType === MOVEMENT_ENDS[kind]
      ? []
      : [`${kind} ${id} was published as ${events.map((one) => `${one.sequence} ${one.eventType}`).join(', ')}`];
  });
}
