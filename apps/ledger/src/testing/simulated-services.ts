import type { AccountRecord, AccountStatus, FreezeReason, HolderRecord } from '@ponte/contracts';
import {
  CheckTokenMovement,
  FreezeAccountAutomatically,
  GetAccount,
  GetAccountStanding,
  GetHolder,
  holderIdOf,
} from '@ponte/contracts';
import type { PayloadOf, ReplyOf, Sealed } from '@ponte/event-sourcing';
import type { ErrorCode } from '@ponte/kernel';
import { Money, violation } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { HOLDER_CPF, HOLDER_NAME, PARENT, START } from './people';

export type AnsweredFreeze = Omit<PayloadOf<typeof FreezeAccountAutomatically>, 'evidence'>;

/** A ledger under test, and the answers that other services give it. */
interface AnsweredLedger {
  readonly engines: Engines;
  readonly status: Map<string, AccountStatus>;
  readonly freezeReasons: ReadonlyMap<string, readonly FreezeReason[]>;
  readonly passport: string | null;
  readonly refusedDestinations: ReadonlyMap<string, ErrorCode>;
  readonly maxTokens: string | null;
  readonly minTokens: string | null;
  readonly freezes: AnsweredFreeze[];
}

/** Simulates the movements service: to which addresses, and how many or how few tokens, it refuses to send. */
export function answerForMovements(ledger: AnsweredLedger): void {
  ledger.engines.bus.handle(
    CheckTokenMovement.pattern,
    async (payload): Promise<ReplyOf<typeof CheckTokenMovement>> => {
      const { asset, amount, destination, movementId, available } = payload as PayloadOf<typeof CheckTokenMovement>;
      const { maxTokens, minTokens } = ledger;
      const code = ledger.refusedDestinations.get(destination);
      const lacksTokens = code === 'insufficient-balance';
      const path = code === 'asset-not-supported' ? 'asset' : lacksTokens ? 'amount' : 'destination';
      // What the wallets can pay is checked for a movement that has an id.
      const isRefused = code !== undefined && (!lacksTokens || movementId !== undefined);
      const violations = isRefused ? [violation(code, path, 'is not accepted')] : [];
      if (amount !== null && maxTokens !== null)
        if (Money.stored(asset, amount).compare(Money.parse(asset, maxTokens)) > 0)
          violations.unshift(violation('amount-above-maximum', 'amount', 'is too much'));
      if (amount !== null && minTokens !== null && amount !== available)
        if (Money.stored(asset, amount).compare(Money.parse(asset, minTokens)) < 0)
          violations.unshift(violation('amount-below-minimum', 'amount', 'is too little'));
      return { violations };
    },
  );
}

/** The freezes by the command that requested them: a repeated command is no other freeze. */
const freezesByCommand = new Map<string, AnsweredFreeze>();

/** Simulates the onboarding service: accounts, their holders and freezes. */
export function answerForOnboarding(ledger: AnsweredLedger): void {
  const { bus, personalData } = ledger.engines;
  const fingerprint = () =>
    ledger.passport === null
      ? personalData.fingerprint('tax-id', HOLDER_CPF)
      : personalData.fingerprint('foreign-id', `PRT:${ledger.passport}`);
  const account = (payload: unknown): AccountRecord | null => {
    const { accountId } = payload as { accountId: string };
    const status = ledger.status.get(accountId);
    return status === undefined
      ? null
      : {
          accountId,
          parentId: PARENT,
          alias: 'test',
          status,
          externalId: null,
          onboardingMode: null,
          capabilities: [],
          taxIdFingerprint: fingerprint(),
          createdAt: START,
        };
  };
  bus.handle(GetAccount.pattern, async (payload) => account(payload));
  bus.handle(GetAccountStanding.pattern, async (payload): Promise<ReplyOf<typeof GetAccountStanding>> => {
    const found = account(payload);
    const about = { requestedBy: 'one', confirmedBy: 'two', frozenAt: START };
    const reasons = ledger.freezeReasons.get(found?.accountId ?? '') ?? [];
    return (
      found && { account: found, pending: null, freezes: reasons.map((reason) => ({ reason, ...about })), history: [] }
    );
  });
  bus.handle(FreezeAccountAutomatically.pattern, async (payload, { commandId }) => {
    const earlier = freezesByCommand.get(commandId);
    if (earlier && ledger.freezes.includes(earlier)) return {};
    const { evidence: _, ...freeze } = payload as PayloadOf<typeof FreezeAccountAutomatically>;
    ledger.status.set(freeze.accountId, 'frozen');
    ledger.freezes.push(freeze);
    freezesByCommand.set(commandId, freeze);
    return {};
  });
  bus.handle(GetHolder.pattern, async (payload): Promise<HolderRecord | null> => {
    const holderId = holderIdOf(fingerprint());
    const { accountId } = payload as { accountId: string };
    if (!ledger.status.has(accountId)) return null;
    // Onboarding stores sealed texts, so it still answers after the key was destroyed.
    const stored = (text: string) => personalData.seal(holderId, text).catch((): Sealed => `sealed:v1:${holderId}:`);
    return {
      accountId,
      holderId,
      legalName: await stored(HOLDER_NAME),
      taxId: await stored(ledger.passport ?? HOLDER_CPF),
      bankAccount: null,
    };
  });
}
