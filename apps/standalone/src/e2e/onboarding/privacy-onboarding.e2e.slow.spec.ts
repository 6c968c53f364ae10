import { filesIn } from '../testing/canaries';
import type { Json } from '../testing/client';
import { CLUSTERED, SUITE_MS } from '../testing/program';
import { readLog } from '../testing/trial-balance';
import { until } from '../testing/waiting';
import { leaksIn } from './testing/leaks';
import {
  CANARIES,
  completeRequest,
  HOLDER,
  NOTES,
  REJECTED_PERSON,
  RELIED_ON,
  REPRESENTATIVE,
} from './testing/privacy-people';
import { otherRefusals, refusedRequests } from './testing/privacy-refusals';
import type { Envelope } from './testing/privacy-under-test';
import { PrivacyUnderTest, REQUESTS } from './testing/privacy-under-test';

jest.setTimeout(SUITE_MS);

let underTest: PrivacyUnderTest;
let holder: Json;
beforeAll(async () => {
  underTest = await PrivacyUnderTest.start();
});
afterAll(() => underTest.close());

/** Finds the places that contain personal values in clear text. */
const leaks = (places: readonly (readonly [string, string])[]) => leaksIn(places, CANARIES);

describe('personal data in a complete onboarding', () => {
  let id: string;

  it('is received, read, requested again and decided on, and appears nowhere in clear text', async () => {
    holder = await completeRequest((purpose) => underTest.upload(purpose));
    const posted = await underTest.partner.send<Envelope>('POST', REQUESTS, holder);
    expect([posted.status, underTest.heard('the answer', posted.text)]).toEqual([201, expect.any(String)]);
    id = posted.body['account-request'].id;
    await underTest.waitsForStaff(id);
    const { case: shown } = await underTest
      .by('analyst')
      .post<{ case: { holder: Json; representative: Json } }>(`/staff/v1/account-requests/${id}/case`, {
        purpose: 'review',
        note: NOTES.view,
      });
    expect([shown.holder, shown.representative]).toMatchObject([
      { 'first-name': HOLDER.firstName },
      { 'first-name': REPRESENTATIVE.firstName },
    ]);
    await underTest.decide('analyst', id, 'ask-information', {
      items: ['document'],
      issues: ['document-quality'],
      note: NOTES.staff,
    });
    await underTest.stands(underTest.partner, id, (one) => one['review-stage'] === 'information-requested');
    underTest.heard(
      'information',
      (
        await underTest.partner.send('POST', `${REQUESTS}/${id}/information`, {
          document: { type: 'cnh', 'front-file-id': await underTest.upload('document-front') },
          note: NOTES.partner,
        })
      ).text,
    );
    await underTest.waitsForStaff(id);
    await underTest.decide('approver-1', id, 'approve', { note: NOTES.staff });
    await underTest.decide('approver-2', id, 'approve', { note: NOTES.staff });
    await underTest.stands(underTest.partner, id, (one) => one.status === 'active');
    await until(() => {
      if (!underTest.receiver.verified.some((one) => one['event-type'] === 'account-approved'))
        throw new Error('no account-approved webhook arrived');
    });
  });

  it('of a reliance request is received as well', async () => {
    const answer = await underTest.reliance.send<Envelope>('POST', '/api/v1/accounts/reliance', {
      identifier: { value: RELIED_ON.passport, country: 'POL' },
      'tax-document-type': 'passport',
      'tax-residence': 'POL',
      'kyc-attestation-id': RELIED_ON.attestation,
      'reward-tier': 90,
    });
    expect([answer.status, underTest.heard('reliance', answer.text)]).toEqual([201, expect.any(String)]);
  });

  it('is not in the privacy report or in the responses to an erasure', async () => {
    const { text, status } = await underTest
      .by('auditor')
      .send('GET', `/staff/v1/account-requests/${id}/privacy-report?purpose=privacy-request`);
    expect([status, underTest.heard('the report', text)]).toEqual([200, expect.stringContaining('analyst')]);
    const { 'erasure-preparation': prepared } = await underTest.by('approver-1').post<{
      'erasure-preparation': { token: string; 'confirm-with': string };
    }>('/staff/v1/erasures/preparation', { 'account-request-id': id });
    expect(
      (
        await underTest.by('approver-1').send('POST', '/staff/v1/erasures', {
          token: prepared.token,
          typed: `${REJECTED_PERSON.firstName} ${REJECTED_PERSON.lastName}`,
        })
      ).status,
    ).toBe(422);
    underTest.heard(
      'the erasure',
      JSON.stringify(
        await underTest
          .by('approver-1')
          .post('/staff/v1/erasures', { token: prepared.token, typed: prepared['confirm-with'] }),
      ),
    );
  });

  it('is not repeated in any refusal, to partners or to staff', async () => {
    for (const body of refusedRequests(holder)) {
      const { status, text } = await underTest.partner.send('POST', REQUESTS, body);
      expect([status >= 400 && status < 500, underTest.heard('a refusal', text)]).toEqual([true, expect.any(String)]);
    }
    for (const [client, method, path, body] of otherRefusals(underTest, id)) {
      const { status, text } = await client.send(method, path, body);
      expect([path, status >= 400 && status < 500, underTest.heard('a refusal', text)]).toEqual([
        path,
        true,
        expect.any(String),
      ]);
    }
  });

  it('is in no response, refusal, webhook or metric', async () => {
    // Each process of a cluster has its own management port. The embedded cluster has one for all services.
    if (!CLUSTERED) {
      const metrics = await (await fetch(`http://127.0.0.1:${underTest.managementPort}/metrics`)).text();
      expect(underTest.heard('metrics', metrics)).toContain('ponte_gateway_request_seconds');
    }
    underTest.heard('webhooks', JSON.stringify(underTest.receiver.verified));
    expect(underTest.said.length).toBeGreaterThan(40);
    expect(leaks(underTest.said)).toEqual([]);
  });

  it('is in no file of the stores, broker or blobs, in no event and in no trace-level log line', async () => {
    expect(leaks(filesIn(underTest.running.dataDirectory).map(({ name, text }) => [name, text]))).toEqual([]);
    await underTest.running.stop();
    expect(leaks(filesIn(underTest.running.dataDirectory).map(({ name, text }) => [name, text]))).toEqual([]);
    const log = await readLog(underTest.running.dataDirectory);
    expect(log.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'AccountRequested',
        'ReviewDecided',
        'PersonalDataViewed',
        'EvidenceFileUploaded',
        'PersonRestricted',
      ]),
    );
    expect(leaks(log.map((event) => [event.type, JSON.stringify(event)]))).toEqual([]);
    expect(
      leaks([
        ['lines', underTest.running.log],
        ['printed', underTest.running.printed],
      ]),
    ).toEqual([]);
  });
});
