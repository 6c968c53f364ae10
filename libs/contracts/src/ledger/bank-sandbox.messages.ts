import { requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';
import type { DepositType } from './deposit-events';

const { command, query } = requestsOf('ledger');

export interface SimulatedPixPayment {
  /** A one-time or static Pix code; null to pay the static code of `accountId`. */
  readonly brcode: string | null;
  readonly accountId: string | null;
  /** Null: the amount of the charge. */
  readonly amount: DecimalText | null;
  /** Digits, sealed or (within one process) in clear; null: the tax id of the account that is paid. */
  readonly payerTaxId: string | null;
}

/**
 * Sandbox only: simulates a Pix payment at the simulated bank. Returns when the bank has settled it, which is before it
 * is credited.
 */
export const SimulatePixPayment = command<
  SimulatedPixPayment,
  { endToEndId: string; amount: DecimalText; settledAt: Timestamp }
>('simulate-pix-payment');

/** The operations of the simulated bank. */
export const BANK_OPERATIONS = [
  'put-charge',
  'get-charge',
  'remove-charge',
  'get-received',
  'list-received',
  'list-taken-back',
  'request-return',
  'get-return',
] as const;
export type BankOperation = (typeof BANK_OPERATIONS)[number];
/**
 * `unheard`: times out and is not executed; `done`: is executed but times out, so the response is lost; `error`:
 * the bank refuses it.
 */
export const BANK_FAULTS = ['unheard', 'done', 'error'] as const;
export type BankFault = (typeof BANK_FAULTS)[number];
/** How payment notifications are sent. `held` ones are sent when the setting changes to `prompt` or `repeated`. */
export const BANK_CALLBACKS = ['prompt', 'lost', 'held', 'repeated'] as const;
/**
 * `processing`: a return is accepted and completed when its state is next requested; `not-carried-out`: the bank gives
 * up on it.
 */
export const BANK_RETURNS = ['prompt', 'processing', 'not-carried-out'] as const;
/** `late`: the bank settles a one-time code only after its expiration. */
export const BANK_SETTLEMENTS = ['prompt', 'late'] as const;

/** How the simulated bank behaves; `prompt` is the default of every field. */
export interface BankBehaviour {
  readonly callbacks: (typeof BANK_CALLBACKS)[number];
  readonly returns: (typeof BANK_RETURNS)[number];
  readonly settlement: (typeof BANK_SETTLEMENTS)[number];
}
export interface PlannedFault {
  readonly operation: BankOperation;
  readonly fault: BankFault;
}

/** The state of the simulated bank: its behaviour, the planned faults in order, and its own books. */
export interface BankState extends BankBehaviour {
  readonly faults: readonly PlannedFault[];
  readonly received: DecimalText;
  readonly returned: DecimalText;
}

/**
 * Sandbox only: changes the behaviour of the simulated bank. Null fields do not change, and faults are added to the
 * planned ones, which `clearFaults` drops first.
 */
export const SetBankBehaviour = command<
  { [K in keyof BankBehaviour]: BankBehaviour[K] | null } & {
    readonly faults: readonly PlannedFault[];
    readonly clearFaults?: boolean;
    /** The endToEndId of a payment that the bank takes back (MED); absent or null for none. */
    readonly takeBack?: string | null;
  },
  BankState
>('set-bank-behaviour');
/** Sandbox only. */
export const GetBank = query<Record<string, never>, BankState>('get-bank');

export const SIMULATED_DEPOSIT_TYPES = ['pix', 'ted', 'manual-fx'] as const;
/**
 * Sandbox only: simulates a deposit. `ted`: at the simulated bank, from the holder unless another tax id is given
 * (digits, sealed); `manual-fx`: USD, recorded and confirmed by two fictitious staff members. Returns before it is
 * credited.
 */
export const SimulateDeposit = command<
  { accountId: string; type: (typeof SIMULATED_DEPOSIT_TYPES)[number]; amount: DecimalText; payerTaxId: string | null },
  { type: DepositType; asset: AssetId; amount: DecimalText; endToEndId: string }
>('simulate-deposit', 'accountId');
