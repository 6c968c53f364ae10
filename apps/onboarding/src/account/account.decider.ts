import type { AccountEvent, SealedBankAccount, Timestamp } from '@ponte/contracts';
import {
  ACCOUNT_EVENTS,
  AccountOpened,
  BankAccountRegistered,
  capabilityChangeViolations,
  capabilityViolations,
  CapabilityGranted,
  CapabilityRevoked,
  isBankCode,
  isSealedFor,
  WalletWhitelisted,
  parseWalletAddress,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { refuse, refuseAll, violation } from '@ponte/kernel';
import type { ClosingCommand } from '../account-closing/closing.domain';
import { decideClosing } from '../account-closing/closing.domain';
import { evolveClosing, isClosingEvent } from '../account-closing/closing-evolution.domain';
import type { FreezeCommand } from '../account-freeze/freeze-commands.domain';
import { decideFreeze } from './freezing.domain';
import { evolveFreeze, isFreezeEvent } from './freeze-evolution.domain';
import { openingViolations, sameOpening } from './opening.domain';
import type { AccountTerms, Account, OpenedAccount } from './account.state';
import { notClosed, opened } from './account.state';

export interface Open {
  readonly kind: 'open';
  readonly terms: Omit<AccountTerms, 'openedAt'>;
  readonly bankAccount: SealedBankAccount | null;
  /** The parent's state; null if the account has no parent. */
  readonly parent: Account | null;
  readonly at: Timestamp;
}

interface ChangeCapabilities {
  readonly kind: 'change-capabilities';
  readonly grant: readonly string[];
  readonly revoke: readonly string[];
}

interface RegisterBankAccount {
  readonly kind: 'register-bank-account';
  readonly bankAccount: SealedBankAccount;
}

interface Whitelist {
  readonly kind: 'whitelist';
  readonly address: string;
  readonly fx: boolean;
  readonly source: 'onboarding' | 'operator';
}

export type AccountCommand =
  Open | ChangeCapabilities | RegisterBankAccount | FreezeCommand | ClosingCommand | Whitelist;

/** An account of a partner or a sub-account: its capabilities, its holder (sealed) and the holder's bank account. */
export const account: Decider<AccountCommand, Account, AccountEvent> = {
  category: 'account',
  initial: { status: 'absent' },
  events: ACCOUNT_EVENTS,
  decide(command, state) {
    switch (command.kind) {
      case 'open':
        return open(command, state);
      case 'change-capabilities':
        return changeCapabilities(command, notClosed(state));
      case 'register-bank-account':
        return registerBankAccount(command, notClosed(state));
      case 'whitelist':
        return whitelist(command, notClosed(state));
      case 'request-closing':
      case 'confirm-closing':
        return decideClosing(command, opened(state));
      default:
        return decideFreeze(command, opened(state));
    }
  },
  evolve,
};

function open({ terms, bankAccount, parent, at }: Open, state: Account): AccountEvent[] {
  if (state.status !== 'absent') {
    return sameOpening(terms, state.terms)
      ? []
      : refuse('account-already-exists', 'an account with this id exists with different data', 'account-id');
  }
  refuseAll([
    ...openingViolations(terms, parent),
    ...capabilityViolations(terms.capabilities, 'capabilities'),
    ...bankAccountViolations(terms.holderId, bankAccount),
  ]);
  const { accountId } = terms;
  return [
    new AccountOpened({ ...terms, capabilities: [...new Set(terms.capabilities)], openedAt: at }),
    ...(bankAccount ? [new BankAccountRegistered({ ...bankAccount, accountId })] : []),
  ];
}

function changeCapabilities(
  { grant, revoke }: ChangeCapabilities,
  { terms: { accountId }, capabilities }: OpenedAccount,
): AccountEvent[] {
  refuseAll(capabilityChangeViolations(grant, revoke));
  const missing = [...new Set(grant)].filter((name) => !capabilities.includes(name));
  const toRevoke = [...new Set(revoke)].filter((name) => capabilities.includes(name));
  return [
    ...missing.map((capability) => new CapabilityGranted({ accountId, capability })),
    ...toRevoke.map((capability) => new CapabilityRevoked({ accountId, capability })),
  ];
}

function registerBankAccount(
  { bankAccount }: RegisterBankAccount,
  { terms: { accountId, holderId } }: OpenedAccount,
): AccountEvent[] {
  refuseAll(bankAccountViolations(holderId, bankAccount));
  return [new BankAccountRegistered({ ...bankAccount, accountId })];
}

function whitelist(
  { address: text, fx, source }: Whitelist,
  { terms: { accountId }, whitelist: list }: OpenedAccount,
): AccountEvent[] {
  const address = parseWalletAddress(text);
  const listed = list.find((entry) => entry.address === address);
  return listed && (listed.fx || !fx) ? [] : [new WalletWhitelisted({ accountId, address, fx, source })];
}

/** Sealed under any other subject, the fields would stay readable after the holder's erasure. */
const bankAccountViolations = (holderId: string, bankAccount: SealedBankAccount | null) =>
  bankAccount &&
  !(
    isBankCode(bankAccount.bankCode) &&
    isSealedFor(holderId, bankAccount.branch) &&
    isSealedFor(holderId, bankAccount.number)
  )
    ? [
        violation(
          'invalid-bank-account',
          'bank-account',
          "must be a bank code, with the branch and the number sealed under the holder's id",
        ),
      ]
    : [];

function evolve(state: Account, event: AccountEvent): Account {
  if (isFreezeEvent(event)) return evolveFreeze(begun(state), event);
  if (isClosingEvent(event)) return evolveClosing(begun(state), event);
  switch (event.type) {
    case 'AccountOpened':
      return {
        status: 'active',
        closedAt: null,
        terms: event.data,
        capabilities: event.data.capabilities,
        bankAccount: null,
        whitelist: [],
        standing: { requests: 0, pending: null, decided: null, freezes: [], history: [] },
      };
    case 'CapabilityGranted': {
      const known = begun(state);
      return { ...known, capabilities: [...known.capabilities, event.data.capability] };
    }
    case 'CapabilityRevoked': {
      const known = begun(state);
      return { ...known, capabilities: known.capabilities.filter((name) => name !== event.data.capability) };
    }
    case 'BankAccountRegistered': {
      const { bankCode, branch, number } = event.data;
      return { ...begun(state), bankAccount: { bankCode, branch, number } };
    }
    case 'WalletWhitelisted': {
      const known = begun(state);
      const { address, fx } = event.data;
      return {
        ...known,
        whitelist: [...known.whitelist.filter((entry) => entry.address !== address), { address, fx }],
      };
    }
  }
}

/** An event before the opening means a damaged stream, not a caller's mistake. */
function begun(state: Account): OpenedAccount {
  if (state.status === 'absent') throw new Error('an account cannot change before it is opened');
  return state;
}
