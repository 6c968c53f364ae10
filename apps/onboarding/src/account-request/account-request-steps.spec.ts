import type { ClearKycRequest } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { AccountRequestCommand } from './account-request.decider';
import { accountRequest } from './account-request.decider';
import { dueAt } from './due.domain';
import { sandboxOutcome, requiresFourEyes } from './four-eyes.domain';
import {
  AT,
  DAY,
  about,
  requested,
  screening,
  screened,
  review,
  approved,
  cancelled,
  analyst,
  given,
  record,
} from '../testing/request-history';

const step = (name: contracts.ProvisioningStep) =>
  new contracts.ProvisioningStepDone({ ...about, step: name, doneAt: AT });

describe('An account request', () => {
  it('is never asked for a part that it does not have, because the partner could not send it', () => {
    const kyc = (representative: object | null) =>
      requested({
        mode: 'kyc',
        details: {
          mode: 'kyc',
          representative,
          liveness: null,
          holder: requested().data.details.holder,
        } as unknown as contracts.RequestDetails,
      });
    const ask = (items: contracts.InformationItem[]): AccountRequestCommand => ({
      kind: 'review',
      command: { kind: 'ask-information', staff: analyst, version: 1, items, issues: [], note: null, at: AT },
    });
    const inSandbox = (items: contracts.InformationItem[]): AccountRequestCommand => ({
      kind: 'decide-in-sandbox',
      command: { decision: 'ask-information', reason: null, items },
      at: AT,
    });
    const askable = (made: contracts.AccountRequested) =>
      contracts.INFORMATION_ITEMS.filter((item) => {
        const past = [made, screening(), screened(), review()] as const;
        const outcomes = [ask([item]), inSandbox([item])].map((command) => {
          try {
            return given(...past)
              .types(command)
              .includes('InformationRequested');
          } catch {
            return given(...past).code(command);
          }
        });
        expect(['true,true', 'invalid-enum-value,invalid-enum-value']).toContain(outcomes.join());
        return outcomes[0] === true;
      });
    expect(askable(requested())).toEqual(['source-of-funds', 'other']);
    expect(askable(kyc(null))).toEqual(['address', 'document', 'liveness', 'source-of-funds', 'other']);
    expect(askable(kyc({ address: null, document: null, powerOfAttorneyFileId: null }))).toEqual(
      contracts.INFORMATION_ITEMS,
    );
    // The sandbox CPF 902, and a decision that names no items.
    const items = (made: contracts.AccountRequested, command: AccountRequestCommand) =>
      (
        scenario(accountRequest)
          .given(made, screening())
          .when(command)
          .events()
          .at(-1) as contracts.InformationRequested
      ).data.items;
    expect(items(requested({ sandboxOutcome: 'ask-information' }), record([]))).toEqual(['other']);
    expect(items(requested(), inSandbox([]))).toEqual(['other']);
    expect(items(kyc(null), inSandbox([]))).toEqual(['document']);
  });

  it('is provisioned step by step, and becomes active with the last step', () => {
    const note = (name: contracts.ProvisioningStep): AccountRequestCommand => ({
      kind: 'note-step',
      step: name,
      at: AT,
    });
    const fail: AccountRequestCommand = {
      kind: 'fail-provisioning',
      step: 'wallets',
      failure: { code: 'chain-unavailable', message: 'm', retryable: true },
      at: AT,
    };
    expect(given(requested(), approved).types(note('account'))).toEqual(['ProvisioningStepDone']);
    expect(given(requested(), approved, step('account'), step('wallets')).types(note('whitelist'))).toEqual([
      'ProvisioningStepDone',
      'AccountRequestActivated',
    ]);
    expect(given(requested(), approved, step('account')).types(note('account'))).toEqual([]);
    expect(given(requested()).types(note('account'))).toEqual([]);
    expect(given(requested(), approved, step('account')).types(fail)).toEqual(['ProvisioningFailed']);
    const failed = new contracts.ProvisioningFailed({
      ...about,
      step: 'wallets',
      failure: { code: 'c', message: 'm', retryable: true },
      failures: 1,
      failedAt: AT,
      retryAt: DAY,
    });
    expect(given(requested(), approved, failed).types({ kind: 'retry-provisioning', at: AT })).toEqual([]);
    expect(given(requested(), approved, failed).types({ kind: 'retry-provisioning', at: DAY })).toEqual([
      'ProvisioningRetried',
    ]);
    expect(given(requested(), approved, failed).types(note('wallets'))).toEqual([]);
    expect(
      [
        given(requested(), approved, failed).state(),
        given(requested()).state(),
        given(requested(), screening(), review()).state(),
        given(requested(), cancelled).state(),
      ].map(dueAt),
    ).toEqual([DAY, '2026-11-21T12:01:00.000Z', null, null]);
  });

  it('needs four eyes and has a sandbox outcome according to its contents', () => {
    const plain = {
      pep: { declared: false },
      financialProfile: { sector: 'other' },
      representative: null,
      rewardTier: 90,
    } as unknown as ClearKycRequest;
    expect(requiresFourEyes(plain, ['gambling'])).toBe(false);
    for (const change of [
      { pep: { declared: true } },
      { financialProfile: { sector: 'gambling' } },
      { representative: {} },
      { rewardTier: 97 },
    ]) {
      expect(requiresFourEyes({ ...plain, ...change } as unknown as ClearKycRequest, ['gambling'])).toBe(true);
    }
    expect(
      ['900', '901', '902', '903'].map((start) =>
        sandboxOutcome({ country: 'BRA', document: 'cpf', number: start.padEnd(11, '0') }),
      ),
    ).toEqual(['approve', 'reject', 'ask-information', null]);
    expect(sandboxOutcome({ country: 'USA', document: 'passport', number: '90012345' })).toBeNull();
  });
});
