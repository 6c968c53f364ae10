import type { Json } from '../../e2e/testing/client';
import { Client } from '../../e2e/testing/client';
import { until } from '../../e2e/testing/waiting';
import { cpfOf } from '../../../../onboarding/src/testing/people';
import type { SampleDocuments } from './browser';

export interface AccountRequest extends Json {
  readonly id: string;
  readonly status: string;
  readonly 'review-stage': string | null;
  readonly reason?: string;
  readonly requirements: { readonly missing: readonly string[]; readonly issues: readonly string[] };
}
interface Envelope {
  readonly 'account-request': AccountRequest;
}

const REQUESTS = '/api/v1/accounts/kyc/individual';
/** Values that occur nowhere else. If one shows up, it is a leak of the person's data. */
export const CANARIES = [
  'Zebulonia',
  'Quixaramobim',
  'Perpetualina',
  'quixaramobim@example.com',
  '91234-7788',
  'Avenida Xangrilaxa',
];

/** A person on the sandbox's fictitious sanctions list, spelled differently. */
export const LISTED = { 'first-name': 'Ezekiel', 'last-name': 'Tadeu Montalvane Brusk', 'date-of-birth': '1964-07-05' };
/** A politically exposed person, whose request requires four eyes. */
export const EXPOSED = {
  pep: { declared: true, 'full-name': 'Zebulonia Quixaramobim', role: 'Vereadora', relationship: 'self' },
};

/** The partner whose requests the console shows. */
export class Partner {
  private made = 0;
  readonly cpfs: string[] = [];

  constructor(
    readonly api: Client,
    private readonly papers: SampleDocuments,
  ) {}

  static of(baseUrl: string, apiKey: string, papers: SampleDocuments): Partner {
    return new Partner(Client.bearer(baseUrl, apiKey), papers);
  }

  /** Requests an account for a person and waits until it has that stage or status. */
  async request(change: Json = {}, standing = 'manual-review'): Promise<AccountRequest> {
    this.made += 1;
    const cpf = cpfOf(310_000_000 + this.made);
    this.cpfs.push(cpf);
    const { 'account-request': posted } = await this.api.post<Envelope>(REQUESTS, {
      identifier: { value: cpf, country: 'BRA' },
      'tax-residence': 'BRA',
      'reward-tier': 90,
      'first-name': 'Zebulonia',
      'last-name': 'Quixaramobim',
      email: 'quixaramobim@example.com',
      phone: '+55 11 91234-7788',
      'date-of-birth': '1988-02-29',
      'mother-full-name': 'Perpetualina Quixaramobim',
      address: {
        'postal-code': '01310-100',
        line1: 'Avenida Xangrilaxa 1000',
        city: 'São Paulo',
        state: 'SP',
        country: 'BRA',
      },
      document: {
        type: 'rg',
        'front-file-id': await this.upload('front', 'document-front'),
        'back-file-id': await this.upload('back', 'document-back'),
      },
      liveness: { id: `console-${this.made}`, provider: 'provider-1' },
      pep: { declared: false },
      'financial-profile': {
        sector: 'other',
        currency: 'BRL',
        'monthly-income': 9200.5,
        'source-of-funds': ['salary'],
      },
      'external-id': `console-${this.made}`,
      ...change,
    });
    return this.when(posted.id, (one) => (one['review-stage'] ?? one.status) === standing);
  }

  async upload(paper: keyof SampleDocuments, purpose: string): Promise<string> {
    const { file } = await this.api.post<{ file: { id: string } }>('/api/v1/accounts/files', {
      'content-base64': this.papers[paper].toString('base64'),
      purpose,
    });
    return file.id;
  }

  async provide(id: string, information: Json): Promise<void> {
    await this.api.post(`${REQUESTS}/${id}/information`, information);
  }

  /** Polls the request until `requested` holds. */
  async when(id: string, requested: (one: AccountRequest) => boolean): Promise<AccountRequest> {
    return until(async () => {
      const { 'account-request': request } = await this.api.get<Envelope>(`${REQUESTS}/${id}`);
      if (!requested(request))
        throw new Error(`the request is ${request.status}, ${request['review-stage'] ?? 'no stage'}`);
      return request;
    });
  }
}
