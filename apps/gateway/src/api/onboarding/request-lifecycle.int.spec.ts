import 'reflect-metadata';
import type { ClearInformation } from '@ponte/contracts';
import { DecideInSandbox, GetAccountRequest, ProvideInformation } from '@ponte/contracts';
import { requestRecord } from '../../testing/onboarding-fixtures';
import { PARTNER } from '../../testing/accounts';
import { SAMPLE } from '../samples';
import { codeOf } from '../../testing/use-gateway';
import { INFORMATION_EXAMPLE } from './onboarding.examples';
import {
  KYC,
  REQUEST,
  lastPayload,
  faultsOf,
  gateway,
  key,
  opened,
  post,
  shown,
  useTestGateway,
} from './testing/onboarding-requests';

useTestGateway();

describe('an existing account request', () => {
  it('can be read, completed with information and cancelled by its id; other ids get 404', async () => {
    const get = (id: string) => gateway.app.inject({ url: `${KYC}/${id}`, headers: key });
    expect(shown(await get(SAMPLE.requestId))['id']).toBe(SAMPLE.requestId);
    expect(shown(await get(SAMPLE.requestId.toUpperCase()))['id']).toBe(SAMPLE.requestId);
    for (const id of ['x', SAMPLE.orderId, `${SAMPLE.requestId.toUpperCase()}0`]) {
      expect(codeOf(await get(id))).toBe('404 account-request-not-found');
      expect(codeOf(await post(`${KYC}/${id}/cancel`, {}))).toBe('404 account-request-not-found');
      expect(codeOf(await post(`${KYC}/${id}/information`, INFORMATION_EXAMPLE))).toBe('404 account-request-not-found');
      expect(codeOf(await post(`/api/v1/sandbox/account-requests/${id}/decision`, { decision: 'approve' }))).toBe(
        '404 account-request-not-found',
      );
    }
    await post(`${REQUEST}/information`, {
      ...INFORMATION_EXAMPLE,
      'other-file-ids': [SAMPLE.fileId],
      note: 'one\ntwo',
    });
    expect(await opened<ClearInformation>(lastPayload(ProvideInformation))).toEqual({
      address: null,
      document: { type: 'cnh', frontFileId: SAMPLE.fileId, backFileId: null },
      liveness: null,
      representativeAddress: null,
      representativeDocument: null,
      powerOfAttorneyFileId: null,
      otherFileIds: [SAMPLE.fileId],
      note: 'one\ntwo',
    });
  });

  it('can be decided in the sandbox, with a reason or items only where the decision takes them', async () => {
    const decide = (body: object) => post(`/api/v1/sandbox/account-requests/${SAMPLE.requestId}/decision`, body);
    const answer = await decide({ decision: 'reject', reason: 'document-quality' });
    expect([answer.statusCode, shown(answer)['status'], shown(answer)['reason']]).toEqual([
      200,
      'rejected',
      'document-quality',
    ]);
    await decide({ decision: 'ask-information', items: ['address', 'other'] });
    expect(lastPayload(DecideInSandbox)).toEqual({
      parentId: PARTNER,
      requestId: SAMPLE.requestId,
      decision: 'ask-information',
      reason: null,
      items: ['address', 'other'],
    });
    expect(faultsOf(await decide({ decision: 'approve', reason: 'duplicate', items: ['other'] }))).toEqual([
      'reason unknown-field',
      'items unknown-field',
    ]);
    expect(faultsOf(await decide({ decision: 'escalate', reason: 'sanctions', items: [] }))).toEqual([
      'decision invalid-enum-value',
      'reason invalid-enum-value',
      'items invalid-format',
    ]);
  });

  it('shows only the fields that apply, and no data of an erased person', async () => {
    const failure = { code: 'chain-unavailable', message: 'away', retryable: true };
    gateway.bus.on(GetAccountRequest, async ({ parentId }) =>
      requestRecord(parentId, await gateway.engines.personalData.seal('a-person', '***1'), {
        status: 'provisioning-failed',
        reviewStage: null,
        failure,
        informationDueAt: SAMPLE.later,
      }),
    );
    const before = shown(await gateway.app.inject({ url: REQUEST, headers: key }));
    expect(before).toMatchObject({ failure, 'information-due-at': SAMPLE.later });
    expect(before).not.toHaveProperty('reason');
    const sealed = await gateway.engines.personalData.seal('a-person', '***1');
    gateway.bus.on(GetAccountRequest, ({ parentId }) => requestRecord(parentId, sealed));
    await gateway.engines.personalData.erase('a-person');
    expect(shown(await gateway.app.inject({ url: REQUEST, headers: key }))['identifier']).toEqual({
      value: '[erased]',
      country: 'BRA',
    });
  });
});
