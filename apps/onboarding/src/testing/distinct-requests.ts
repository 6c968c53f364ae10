import * as contracts from '@ponte/contracts';
import { evidenceFileId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from './onboarding-under-test';
import { APPROVER, cpfOf, post, requestFor } from './people';
import { ulidBytes } from './ulid-bytes';

/** Requests of people who have nothing in common except what a test specifies. */
export class DistinctRequests {
  private made = 0;

  constructor(private readonly onboarding: OnboardingUnderTest) {}

  async file(parentId: string, sha256: string): Promise<string> {
    this.made += 1;
    const fileId = evidenceFileId(ulidBytes(1_795_000_000_000 + this.made, Buffer.alloc(10, this.made)));
    await this.onboarding.ask(contracts.RegisterEvidenceFile, {
      fileId,
      parentId,
      purpose: 'document-front',
      contentType: 'image/png',
      sizeBytes: 1234,
      sha256,
    });
    return fileId;
  }

  /** Creates a request and waits until it is under review. */
  async request(parentId: string, change: Partial<contracts.ClearKycRequest> = {}, sha256?: string): Promise<string> {
    this.made += 1;
    const unique = {
      email: `zymurgia-${this.made}@example.com`,
      phone: `+55 11 9${String(10_000_000 + this.made)}`,
      liveness: { id: `duplicates-${this.made}`, provider: 'provider-1' },
      address: {
        postalCode: '01310-100',
        line1: `Rua Xilofonte ${this.made}`,
        line2: '',
        city: 'São Paulo',
        state: 'SP',
        country: 'BRA',
      },
      document: {
        type: 'cnh' as const,
        frontFileId: await this.file(parentId, sha256 ?? String(this.made).padStart(64, '0')),
        backFileId: null,
      },
    };
    const {
      request: { requestId },
    } = await post(
      this.onboarding,
      parentId,
      await requestFor(this.onboarding, parentId, cpfOf(430_000_000 + this.made), { ...unique, ...change }),
    );
    await eventually(async () =>
      expect((await this.onboarding.ask(contracts.GetAccountRequest, { parentId, requestId }))?.reviewStage).toBe(
        'manual-review',
      ),
    );
    return requestId;
  }

  /** The duplicates that the case of a request shows. */
  async shown(requestId: string) {
    const found = (await this.onboarding.ask(contracts.OpenReviewCase, {
      requestId,
      staff: APPROVER,
      purpose: 'review',
      note: null,
    })) as contracts.ReviewCase;
    const check = found.checklist.find((one) => one.check === 'duplicates')?.outcome;
    return {
      check,
      duplicates: found.duplicates
        .map(({ kind, requests }) => [
          kind,
          requests.map((one) => `${one.requestId} ${one.samePerson ? 'same' : 'other'}`).sort(),
        ])
        .sort(),
    };
  }
}
