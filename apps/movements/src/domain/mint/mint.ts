import type { Failure, MintFact, MintRecord, Timestamp } from '@ponte/contracts';
import { MintConfirmed, MintFailed, MintRequested, MintSubmitted, transferMachine } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import type { MintTerms } from './terms';
import { acceptable, referenceOf } from './terms';

export type Mint =
  | { readonly status: 'absent' }
  | { readonly status: 'created'; readonly terms: MintTerms }
  | { readonly status: 'pending'; readonly terms: MintTerms; readonly txHash: string }
  | { readonly status: 'completed'; readonly terms: MintTerms; readonly txHash: string }
  | { readonly status: 'failed'; readonly terms: MintTerms; readonly txHash: string | null; readonly failure: Failure };

export type MintCommand =
  | { readonly kind: 'request'; readonly terms: MintTerms }
  | { readonly kind: 'note-submitted'; readonly transactionId: string; readonly txHash: string }
  | { readonly kind: 'confirm'; readonly transactionId: string; readonly txHash: string; readonly txTimestamp: Timestamp; readonly at: Timestamp }
  | { readonly kind: 'fail'; readonly failure: Failure };

export const mint: Decider<MintCommand, Mint, MintFact> = {
  category: 'mint',
  initial: { status: 'absent' },
  events: [MintRequested, MintSubmitted, MintConfirmed, MintFailed],

  decide(command, state) {
    if (command.kind === 'request') return request(command.terms, state);
    if (state.status === 'absent') throw new Error('a mint that nobody asked for');
    switch (command.kind) {
      case 'note-submitted': return state.status === 'created' ? [submitted(state.terms, command)] : [];
      case 'confirm': return confirm(command, state);
      case 'fail': return fail(command.failure, state);
    }
  },

  evolve(state, event) {
    if (event.type === 'MintRequested') {
      const { mintId, orderId, accountId, asset, amount, to } = event.data;
      return { status: 'created', terms: { mintId, orderId, accountId, asset, amount, to } };
    }
    if (state.status === 'absent') throw new Error(`${event.type} of a mint that nobody asked for`);
    const { terms } = state;
    switch (event.type) {
      case 'MintSubmitted': return { status: 'pending', terms, txHash: event.data.txHash };
      case 'MintConfirmed': return { status: 'completed', terms, txHash: event.data.txHash };
      case 'MintFailed': return { status: 'failed', terms, txHash: hashOf(state), failure: event.data.failure };
    }
  },
};

type Known = Exclude<Mint, { status: 'absent' }>;
type Confirm = Extract<MintCommand, { kind: 'confirm' }>;

function request(wanted: MintTerms, state: Mint): MintFact[] {
  const terms = acceptable(wanted);
  if (state.status === 'absent') return [new MintRequested({ ...terms, reference: referenceOf(terms.mintId) })];
  const same = (Object.keys(terms) as (keyof MintTerms)[]).every((member) => terms[member] === state.terms[member]);
  return same ? [] : refuse('mint-already-requested', 'this mint was asked for with other terms');
}

const submitted = ({ mintId, orderId }: MintTerms, { transactionId, txHash }: { transactionId: string; txHash: string }) =>
  new MintSubmitted({ mintId, orderId, transactionId, txHash });

function confirm(command: Confirm, state: Known): MintFact[] {
  if (state.status === 'completed') return [];
  const { mintId, orderId, accountId } = state.terms;
  const { txHash, txTimestamp, at } = command;
  const done = new MintConfirmed({ mintId, orderId, accountId, txHash, txTimestamp, confirmedAt: at });
  // The chain may be quicker than the note that it was told.
  if (state.status === 'created') return [submitted(state.terms, command), done];
  assertMove(transferMachine, state.status, 'completed');
  return [done];
}

function fail(failure: Failure, state: Known): MintFact[] {
  if (state.status === 'failed') return [];
  assertMove(transferMachine, state.status, 'failed');
  const { mintId, orderId, accountId } = state.terms;
  return [new MintFailed({ mintId, orderId, accountId, failure })];
}

const hashOf = (state: Known): string | null => (state.status === 'created' ? null : state.txHash);

/** As other services see it; null while nobody asked for it. */
export function mintRecord(state: Mint): MintRecord | null {
  if (state.status === 'absent') return null;
  const { mintId, orderId } = state.terms;
  return { mintId, orderId, state: state.status, txHash: hashOf(state), failure: state.status === 'failed' ? state.failure : null };
}
