import { requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';
import type { DepositType } from './deposit-events';

const { command, query } = requestsOf('ledger');

export interface SimulatedPixPayment {
  /** Either a BR Code, one-time or static, or the account whose static code is paid. */
  readonly brcode: string | null;
  readonly accountId: string | null;
  /** Null: the amount of the charge. */
  readonly amount: DecimalText | null;
  /** Digits, sealed or (within one process) plain; null: the tax id of the account that is paid. */
  readonly payerTaxId: string | null;
}

/**
 * Sandbox alone: someone pays by Pix at the simulated bank. Answers when the bank has settled it, not when it is
 * credited.
 */
export const SimulatePixPayment = command<
  SimulatedPixPayment,
  { endToEndId: string; amount: DecimalText; settledAt: Timestamp }
>('simulate-pix-payment');

/** What the bank is asked. */
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
 * `unheard`: it timed out and was never done; `done`: it timed out after it was done, so the answer is lost; `error`:
 * the bank said no.
 */
export const BANK_FAULTS = ['unheard', 'done', 'error'] as const;
export type BankFault = (typeof BANK_FAULTS)[number];
/** What becomes of the word of a payment; `held` ones go out when callbacks are prompt or repeated again. */
export const BANK_CALLBACKS = ['prompt', 'lost', 'held', 'repeated'] as const;
/**
 * `processing`: a return is taken at once and done when it is next asked for; `not-carried-out`: the bank gives up on
 * it.
 */
export const BANK_RETURNS = ['prompt', 'processing', 'not-carried-out'] as const;
/** `late`: the bank settles a one-time code only after its expiration. */
export const BANK_SETTLEMENTS = ['prompt', 'late'] as const;

/** How the simulated bank behaves; all of it is `prompt` until someone says otherwise. */
export interface BankBehaviour {
  readonly callbacks: (typeof BANK_CALLBACKS)[number];
  readonly returns: (typeof BANK_RETURNS)[number];
  readonly settlement: (typeof BANK_SETTLEMENTS)[number];
}
export interface PlannedFault {
  readonly operation: BankOperation;
  readonly fault: BankFault;
}

/** The simulated bank as it stands: its behaviour, the faults still to come in their order, and its own books. */
export interface BankState extends BankBehaviour {
  readonly faults: readonly PlannedFault[];
  readonly received: DecimalText;
  readonly returned: DecimalText;
}

/**
 * Sandbox alone: has the simulated bank behave otherwise; null leaves a member as it is, and faults come behind those
 * that are planned.
 */
export const SetBankBehaviour = command<
  { [K in keyof BankBehaviour]: BankBehaviour[K] | null } & {
    readonly faults: readonly PlannedFault[];
    /** The endToEndId of a payment that the bank takes back (MED); absent or null for none. */
    readonly takeBack?: string | null;
  },
  BankState
>('set-bank-behaviour');
/** Sandbox alone. */
export const GetBank = query<Record<string, never>, BankState>('get-bank');

export const SIMULATED_DEPOSIT_TYPES = ['pix', 'ted', 'manual-fx'] as const;
/**
 * Sandbox only: money arrives for an account. `ted`: at the simulated bank, from the holder unless another tax id is
 * given (digits, sealed); `manual-fx`: USD, recorded and confirmed by two invented members of staff. Answers before it
 * is credited.
 */
export const SimulateDeposit = command<
  { accountId: string; type: (typeof SIMULATED_DEPOSIT_TYPES)[number]; amount: DecimalText; payerTaxId: string | null },
  { type: DepositType; asset: AssetId; amount: DecimalText; endToEndId: string }
>('simulate-deposit', 'accountId');
