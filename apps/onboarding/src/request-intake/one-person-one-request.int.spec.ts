import * as contracts from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { bySelf, openParent, post, requestFor, upload } from '../testing/people';
import { codes, requestsOf, startWithPartner } from '../testing/requests';

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeAll(async () => {
  ({ onboarding, parentId } = await startWithPartner());
});

afterAll(() => onboarding.stop());

const { nextCpf, get, made } = requestsOf(() => ({ onboarding, parentId }));

const address = (fill: number): string => `0x${fill.toString(16).padStart(40, '0')}`;

describe('For one person', () => {
  it('100 parallel posts create one request, which the others return', async () => {
    const request = await requestFor(onboarding, parentId, nextCpf(), { externalWallets: [bySelf(address(100))] });
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(onboarding, parentId, request)));
    expect(new Set(answers.map((one) => one.request.requestId)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    const requested = (await onboarding.events()).filter(
      ({ type, data }) =>
        type === 'AccountRequested' &&
        (data as contracts.AccountRequested['data']).externalWallets.some((one) => one.address === address(100)),
    );
    expect(requested).toHaveLength(1);
  });

  it('the same number of another country, or another parent, makes a different request', async () => {
    const number = 'PA123456';
    const base = await requestFor(onboarding, parentId, nextCpf());
    const abroad = (country: string) => ({
      ...base,
      identifier: { value: number, country },
      taxResidence: country,
      document: { ...base.document, type: 'passport' as const },
    });
    const other = await openParent(onboarding);
    const one = await post(onboarding, parentId, abroad('USA'));
    const two = await post(onboarding, parentId, abroad('ARG'));
    const three = await post(onboarding, other, {
      ...abroad('USA'),
      document: { type: 'passport', frontFileId: await upload(onboarding, other), backFileId: null },
    });
    expect([one, two, three].map(({ created }) => created)).toEqual([true, true, true]);
    expect(new Set([one, two, three].map(({ request }) => request.requestId)).size).toBe(3);
    expect(
      (await post(onboarding, parentId, { ...abroad('usa'), identifier: { value: 'pa 123456', country: 'usa' } }))
        .request.requestId,
    ).toBe(one.request.requestId);
  });

  it('a wallet that many requests name at once goes to one of them, and is free again when that request is cancelled', async () => {
    const wanted = address(200);
    const people = await Promise.all(
      Array.from({ length: 20 }, () =>
        requestFor(onboarding, parentId, nextCpf(), { externalWallets: [bySelf(wanted)] }),
      ),
    );
    const answers = await Promise.allSettled(people.map((one) => post(onboarding, parentId, one)));
    const won = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(won.map(({ created }) => created)).toEqual([true]);
    for (const one of answers)
      if (one.status === 'rejected')
        expect((one.reason as Refusal).violations.map(({ code, path }) => `${code} ${path}`)).toEqual([
          'external-wallet-already-registered external-wallets[0]',
        ]);
    const winner = (won[0] as contracts.RequestedAccount).request.requestId;
    await onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId: winner });
    const loser = people[answers.findIndex((one) => one.status === 'rejected')] as contracts.ClearKycRequest;
    expect(
      (
        await post(onboarding, parentId, {
          ...loser,
          externalWallets: [bySelf(wanted.toUpperCase().replace('0X', '0x'))],
        })
      ).created,
    ).toBe(true);
  });

  it('a refused post gives back what it reserved, even if a concurrent post shared it', async () => {
    const taken = address(300);
    await made({ externalWallets: [bySelf(taken)] });
    const request = await requestFor(onboarding, parentId, nextCpf(), { externalWallets: [bySelf(address(301))] });
    const [good, bad] = await Promise.allSettled([
      post(onboarding, parentId, request),
      post(onboarding, parentId, {
        ...request,
        externalWallets: [bySelf(address(301)), bySelf(address(302)), bySelf(taken)],
      }),
    ]);
    expect(good.status === 'fulfilled' && good.value.request.status).toBe('pending');
    expect(bad.status === 'fulfilled' ? bad.value.created : (bad.reason as Refusal).code).toBe(
      bad.status === 'fulfilled' ? false : 'external-wallet-already-registered',
    );
    await made({ externalWallets: [bySelf(address(302))] });
    expect(await codes(made({ externalWallets: [bySelf(address(301))] }))).toEqual([
      'external-wallet-already-registered external-wallets[0]',
    ]);
  });

  it.each(['cancelled', 'rejected'])(
    'a %s request frees the person, and the next request has another id and another account',
    async (end) => {
      const cpf = nextCpf();
      const request = await requestFor(onboarding, parentId, cpf);
      const first = (await post(onboarding, parentId, request)).request;
      if (end === 'cancelled')
        await onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId: first.requestId });
      else
        await onboarding.ask(contracts.DecideInSandbox, {
          parentId,
          requestId: first.requestId,
          decision: 'reject',
          reason: 'document-quality',
          items: [],
        });
      expect(await get(first.requestId)).toMatchObject({
        status: end,
        reason: end === 'rejected' ? 'document-quality' : null,
      });
      const { created, request: second } = await post(onboarding, parentId, request);
      expect([created, second.requestId === first.requestId, second.accountId === first.accountId]).toEqual([
        true,
        false,
        false,
      ]);
    },
  );
});

it('Rule 12 also refuses a wallet that belongs to one of our accounts, under any parent', async () => {
  const accountId = derivedId('wallet-owner');
  const walletId = derivedId('own-wallet');
  const data = new contracts.WalletCreated({
    walletId,
    accountId,
    parentId: null,
    name: 'w',
    chain: 'eth-base',
    address: address(900),
    assets: [],
    uiEnabled: true,
    metadata: {},
    createdAt: '2026-11-21T12:00:00.000Z',
  });
  const meta = {
    commandId: walletId,
    index: 0,
    count: 1,
    occurredAt: '2026-11-21T12:00:00.000Z',
    correlationId: walletId,
  };
  await onboarding.engines.store.append(`wallet-${walletId}`, -1, [
    { id: walletId, type: data.type, version: 1, data: data.data, meta },
  ]);
  await eventually(async () =>
    expect(
      (await onboarding.events()).filter(
        ({ type, data: fact }) =>
          type === 'ReservationClaimed' && (fact as { address: string }).address === address(900),
      ),
    ).toHaveLength(1),
  );
  expect(await codes(made({ externalWallets: [bySelf(address(900))] }))).toEqual([
    'external-wallet-already-registered external-wallets[0]',
  ]);
});
