import {
  AccountOpened,
  AccountRequestActivated,
  AccountRequestApproved,
  AccountRequested,
  CapabilityGranted,
  EvidenceFileReferenced,
  EvidenceFileUploaded,
  PersonMentioned,
  PROVISIONING_STEPS,
  ProvisioningStepDone,
  ReservationClaimed,
  ScreeningRecorded,
  ScreeningStarted,
  WalletCreated,
} from '@ponte/contracts';
import { CHAINS } from '@ponte/kernel';
import type { Life, Fixtures } from './fixtures';
import { step } from './fixtures';

const DAY = '2026-03-01T00:00:00.000Z';

/** The life of a partner's customer: requested, screened, approved and provisioned. */
export function* accountLife(fixtures: Fixtures, at: number): Life {
  const { seeded } = fixtures;
  const [accountId, parentId, requestId, subjectId] = [
    fixtures.accountId(at),
    fixtures.partnerOf(at),
    seeded.id('request', at),
    seeded.id('person', at),
  ];
  const about = { requestId, accountId, parentId };
  const request = `accountRequest-${requestId}`;
  const fileId = `ev_${seeded.id('file', at)}`;
  const identifier = seeded.hex(32, 'identifier', at).slice(2);
  const reservationId = seeded.id('reservation', at);
  const sealed = (what: string) => fixtures.sealed(subjectId, what);
  yield step(
    `evidenceFile-${fileId}`,
    new EvidenceFileUploaded({
      fileId,
      parentId,
      purpose: 'document-front',
      contentType: 'image/jpeg',
      sizeBytes: 204_800,
      sha256: seeded.hex(32, 'sha', at).slice(2),
      uploadedAt: fixtures.now(),
      expiresAt: DAY,
    }),
  );
  yield step(
    `reservation-${reservationId}`,
    new ReservationClaimed({
      reservationId,
      kind: 'identifier',
      address: null,
      holderId: requestId,
      accountId,
      attempt: 1,
      claimId: seeded.id('claim', at),
      claimedAt: fixtures.now(),
    }),
  );
  yield step(`evidenceFile-${fileId}`, new EvidenceFileReferenced({ fileId, requestId, referencedAt: fixtures.now() }));
  yield step(
    request,
    new AccountRequested({
      ...about,
      mode: 'reliance',
      attempt: 1,
      rewardTier: 90,
      externalId: `customer-${at}`,
      externalWallets: [],
      fourEyes: false,
      sandboxOutcome: null,
      requestedAt: fixtures.now(),
      details: {
        mode: 'reliance',
        taxDocumentType: 'cpf',
        kycAttestationId: sealed('attestation'),
        holder: {
          subjectId,
          identifierFingerprint: identifier,
          country: 'BRA',
          identifier: sealed('id'),
          maskedIdentifier: sealed('masked'),
          taxResidence: 'BRA',
        },
      },
    }),
  );
  yield step(
    `person-${subjectId}`,
    new PersonMentioned({
      subjectId,
      mention: { kind: 'account-request', requestId, role: 'holder' },
      mentionedAt: fixtures.now(),
    }),
  );
  yield step(request, new ScreeningStarted({ ...about, round: 1, startedAt: fixtures.now() }));
  yield step(
    request,
    new ScreeningRecorded({ ...about, round: 1, person: 'holder', hits: [], recordedAt: fixtures.now() }),
  );
  yield step(request, new AccountRequestApproved({ ...about, approvedBy: [], approvedAt: fixtures.now() }));
  yield step(
    `account-${accountId}`,
    new AccountOpened({
      accountId,
      parentId,
      alias: `customer ${at}`,
      externalId: `customer-${at}`,
      onboardingMode: null,
      capabilities: [],
      openedAt: fixtures.now(),
      holderId: subjectId,
      legalName: sealed('name'),
      taxId: sealed('tax'),
      taxIdFingerprint: identifier,
    }),
  );
  yield step(`account-${accountId}`, new CapabilityGranted({ accountId, capability: 'orders' }));
  for (const chain of CHAINS) {
    const walletId = seeded.id('wallet', at, chain);
    yield step(
      `wallet-${walletId}`,
      new WalletCreated({
        walletId,
        accountId,
        parentId,
        name: 'custody',
        chain,
        address: seeded.hex(20, 'wallet', at),
        assets: [],
        uiEnabled: true,
        metadata: {},
        createdAt: fixtures.now(),
      }),
    );
  }
  for (const done of PROVISIONING_STEPS)
    yield step(request, new ProvisioningStepDone({ ...about, step: done, doneAt: fixtures.now() }));
  yield step(request, new AccountRequestActivated({ ...about, activatedAt: fixtures.now() }));
}
