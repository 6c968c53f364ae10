import type {
  CertificateEvent,
  CertificateState,
  Failure,
  MovementReceiver,
  NftTransferCreated,
  Timestamp,
} from '@ponte/contracts';
import {
  CertificateDelivered,
  CertificateIssued,
  CertificateMinted,
  CertificateMintFailed,
  CertificateMintStarted,
  CertificateTransferOpened,
  CertificateTransferReleased,
  certificateMachine,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove, behindEvent } from '@ponte/event-sourcing';
import { canonicalJson, pick } from '@ponte/kernel';
import { refuseKeyReused } from '../transfer/transfer.errors';
import { refuseNotOwned } from './certificate.errors';

type CertificateTerms = CertificateIssued['data'];
/** The terms of a transfer when it is requested. */
export type OpenedTransfer = NftTransferCreated['data'];

/** An account that has the certificate or had it. */
interface Holding {
  readonly accountId: string;
  /** The wallet that holds it, or held it last. */
  readonly address: string;
}

interface IssuedCertificate {
  readonly status: CertificateState;
  readonly terms: CertificateTerms;
  /** One for each account; the last one is that of the current or last holder. */
  readonly holdings: readonly Holding[];
  /** The open transfer of the certificate. */
  readonly transfer: OpenedTransfer | null;
  /** Whether the mint may be on the chain. */
  readonly minting: boolean;
  readonly txHash: string | null;
  readonly failure: Failure | null;
  readonly since: Timestamp;
}

export type Certificate = { readonly status: 'absent' } | IssuedCertificate;

export type CertificateCommand =
  | { readonly kind: 'issue'; readonly terms: CertificateTerms }
  | { readonly kind: 'start-mint'; readonly at: Timestamp }
  | { readonly kind: 'note-minted'; readonly txHash: string; readonly at: Timestamp }
  | {
      readonly kind: 'fail-mint';
      readonly txHash: string | null;
      /** Its transaction has ended, signed or not. Otherwise it was not intended. */
      readonly ended?: true;
      readonly failure: Failure;
      readonly at: Timestamp;
    }
  | { readonly kind: 'open-transfer'; readonly transfer: OpenedTransfer }
  | { readonly kind: 'release'; readonly transferId: string; readonly at: Timestamp }
  | {
      readonly kind: 'deliver';
      readonly transferId: string;
      readonly txHash: string;
      readonly address: string;
      readonly holder: MovementReceiver | null;
      readonly at: Timestamp;
    };

/**
 * Stream `rewardCertificate-<certificateId>`, which is also the lock of its transfers. Every command may be repeated: a
 * step that is done already emits nothing.
 */
export const certificate: Decider<CertificateCommand, Certificate, CertificateEvent> = {
  category: 'rewardCertificate',
  initial: { status: 'absent' },
  events: [
    CertificateIssued,
    CertificateMintStarted,
    CertificateMinted,
    CertificateMintFailed,
    CertificateTransferOpened,
    CertificateTransferReleased,
    CertificateDelivered,
  ],

  decide(command, state) {
    if (command.kind === 'issue') return issue(command.terms, state);
    if (state.status === 'absent')
      return command.kind === 'open-transfer' ? refuseNotOwned() : behindEvent('a certificate', state.status);
    const about = { certificateId: state.terms.certificateId, accountId: holderOf(state).accountId };
    switch (command.kind) {
      case 'start-mint':
        return state.status !== 'issued' || state.minting
          ? []
          : [new CertificateMintStarted({ ...about, startedAt: command.at })];
      case 'note-minted':
        if (state.status !== 'issued' && state.status !== 'failed') return [];
        assertMove(certificateMachine, state.status, 'active');
        return [new CertificateMinted({ ...about, txHash: command.txHash, mintedAt: command.at })];
      case 'fail-mint': {
        // An intended mint may still be mined, so only the end of its transaction makes it fail.
        if (state.status === 'failed') return [];
        if (command.txHash === null && state.minting && !command.ended) return [];
        assertMove(certificateMachine, state.status, 'failed');
        const { txHash, failure, at } = command;
        return [new CertificateMintFailed({ ...about, txHash, failure, failedAt: at })];
      }
      case 'open-transfer':
        return openTransfer(command.transfer, state);
      case 'release': {
        const { transferId, at } = command;
        return isIn(state, transferId)
          ? [new CertificateTransferReleased({ ...about, transferId, releasedAt: at })]
          : [];
      }
      case 'deliver': {
        const { transferId, txHash, address, holder, at } = command;
        return isIn(state, transferId)
          ? [new CertificateDelivered({ ...about, transferId, txHash, address, holder, deliveredAt: at })]
          : [];
      }
    }
  },

  evolve(state, event) {
    if (event.type === 'CertificateIssued') {
      const { accountId, walletAddress: address, issuedAt: since } = event.data;
      return {
        status: 'issued',
        terms: event.data,
        holdings: [{ accountId, address }],
        transfer: null,
        minting: false,
        txHash: null,
        failure: null,
        since,
      };
    }
    if (state.status === 'absent') throw new Error(`${event.type} of a certificate that was not issued`);
    switch (event.type) {
      case 'CertificateMintStarted':
        return { ...state, minting: true };
      case 'CertificateMinted':
        return { ...state, status: 'active', txHash: event.data.txHash, since: event.data.mintedAt };
      case 'CertificateMintFailed': {
        const { txHash, failure, failedAt: since } = event.data;
        return { ...state, status: 'failed', txHash, failure, since };
      }
      case 'CertificateTransferOpened': {
        const { transfer } = event.data;
        return { ...state, status: 'transferring', transfer, since: transfer.createdAt };
      }
      case 'CertificateTransferReleased':
        return { ...state, status: 'active', transfer: null, since: event.data.releasedAt };
      case 'CertificateDelivered': {
        const { holder, address, deliveredAt: since } = event.data;
        if (holder === null) return { ...state, status: 'transferred', transfer: null, since };
        const others = state.holdings.filter(({ accountId }) => accountId !== holder.accountId);
        const holdings = [...others, { accountId: holder.accountId, address }];
        return { ...state, status: 'active', transfer: null, holdings, since };
      }
    }
  },
};

/** The current or last holder. */
export function holderOf({ holdings }: IssuedCertificate): Holding {
  const holder = holdings.at(-1);
  if (holder === undefined) throw new Error('an issued certificate must have a holder');
  return holder;
}

function issue(terms: CertificateTerms, state: Certificate): CertificateEvent[] {
  if (state.status === 'absent') return [new CertificateIssued(terms)];
  const comparable = (of: CertificateTerms) =>
    canonicalJson(pick(of, 'certificateId', 'accountId', 'walletId', 'amount', 'rewardTier'));
  return comparable(terms) === comparable(state.terms) ? [] : refuseKeyReused();
}

function openTransfer(transfer: OpenedTransfer, state: IssuedCertificate): CertificateEvent[] {
  if (isIn(state, transfer.transferId)) return [];
  const { accountId, address } = holderOf(state);
  if (state.status !== 'active' || accountId !== transfer.accountId || address !== transfer.sourceAddress)
    return refuseNotOwned();
  return [new CertificateTransferOpened({ certificateId: state.terms.certificateId, accountId, transfer })];
}

const isIn = ({ transfer }: IssuedCertificate, transferId: string): boolean => transfer?.transferId === transferId;
