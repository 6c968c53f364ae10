import { cpfOf } from '../../../../../onboarding/src/testing/people';
import type { Json } from '../../testing/client';
import { Client, codeOf } from '../../testing/client';
import type { Running } from '../../testing/program';
import { Program, SIMULATED } from '../../testing/program';
import { SandboxUnderTest } from '../../testing/sandbox-under-test';
import { signInStaff } from '../../testing/staff';
import { until } from '../../testing/waiting';

export interface Asked extends Json {
  readonly id: string;
  readonly 'account-id': string;
  readonly status: string;
  readonly 'review-stage': string | null;
  readonly reason?: string;
  readonly requirements: { readonly missing: readonly string[] };
}
interface Line extends Json {
  readonly id: string;
  readonly status: string;
  readonly approvals: number;
  readonly assignee: { readonly name: string } | null;
  readonly causes: readonly string[];
}
interface Person extends Json {
  readonly erased: boolean;
}
export interface Case {
  readonly item: { readonly version: number };
  readonly holder: Person;
  readonly files: readonly { readonly id: string }[];
  readonly notes: readonly { readonly note: string }[];
  readonly 'staff-notes': readonly { readonly note: string }[];
  readonly approvals: readonly { readonly name: string }[];
  readonly views: readonly {
    readonly staff: { readonly name: string };
    readonly purpose: string;
    readonly what: string;
  }[];
  readonly history: readonly { readonly type: string; readonly 'actor-name': string | null }[];
}
export interface Report {
  readonly status: string;
  readonly views: readonly { readonly staff: { readonly name: string } }[];
  readonly holdings: readonly { readonly kind: string; readonly 'retained-until': string | null }[];
}

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const REQUESTS = '/api/v1/accounts/kyc/individual';
export const CANARY = 'Zymurgia';

export const ONE = (id: string) => `/staff/v1/account-requests/${id}`;
/** Decisions that name the version of the case that was read. */
const AS_READ = ['approve', 'reject', 'ask-information', 'escalate'];

/** Decides a case as it is now, as a staff member does who has just read it. */
export async function decide(who: Client, id: string, verb: string, body: Json = {}) {
  const send = (version?: number) =>
    who.send<{ 'account-request': Line; error: { code: string } }>('POST', `${ONE(id)}/${verb}`, {
      ...(version !== undefined && { version }),
      ...body,
    });
  if (!AS_READ.includes(verb)) return send();
  const { 'account-request': read } = await who.get<{ 'account-request': { version: number } }>(`${ONE(id)}/history`);
  const answer = await send(read.version);
  // Only opening the case finds duplicates. It is recorded, so it is done only where it is needed.
  return codeOf(answer) === '422 review-changed' ? send((await open(who, id)).item.version) : answer;
}
export const approve = (who: Client, id: string, body: Json = {}) => decide(who, id, 'approve', body);
export const open = async (who: Client, id: string, purpose = 'review') =>
  (await who.post<{ case: Case }>(`${ONE(id)}/case`, { purpose })).case;

export type StaffClients = Record<'analyst' | 'approver-1' | 'approver-2' | 'auditor' | 'operator', Client>;

/** A sandbox whose staff have signed in and whose account requests wait for review. */
export class ReviewUnderTest {
  private made = 0;

  private constructor(
    private readonly program: Program,
    readonly running: Running,
    readonly sandbox: SandboxUnderTest,
    readonly partner: Client,
    readonly staff: StaffClients,
  ) {}

  static async start(): Promise<ReviewUnderTest> {
    const program = await Program.build();
    const running = await program.start(program.dataFolder(), SIMULATED);
    const { 'base-url': baseUrl, 'api-key': apiKey, staff } = running.sandbox;
    const signedIn = await Promise.all(staff.map(async (one) => [one.name, await signInStaff(baseUrl, one)] as const));
    const clients = Object.fromEntries(signedIn) as StaffClients;
    return new ReviewUnderTest(program, running, SandboxUnderTest.of(running), Client.bearer(baseUrl, apiKey), clients);
  }

  async close(): Promise<void> {
    await Promise.all([this.partner, this.sandbox, ...Object.values(this.staff)].map((client) => client.close()));
    await this.program.close();
  }

  async upload(): Promise<string> {
    return (
      await this.partner.post<{ file: { id: string } }>('/api/v1/accounts/files', {
        'content-base64': PNG.toString('base64'),
        purpose: 'document-front',
      })
    ).file.id;
  }

  readonly stands = (id: string, requested: (one: Asked) => boolean): Promise<Asked> =>
    until(async () => {
      const { 'account-request': request } = await this.partner.get<{ 'account-request': Asked }>(`${REQUESTS}/${id}`);
      if (!requested(request)) throw new Error(`it is ${request.status}, ${String(request['review-stage'])}`);
      return request;
    });
  readonly waitsForStaff = (id: string) => this.stands(id, (one) => one['review-stage'] === 'manual-review');

  /** Requests an account for a new person. Resolves when it waits for manual review. */
  async person(change: Json = {}): Promise<Asked> {
    this.made += 1;
    const { 'account-request': posted } = await this.partner.post<{ 'account-request': Asked }>(REQUESTS, {
      identifier: { value: cpfOf(420_000_000 + this.made), country: 'BRA' },
      'tax-residence': 'BRA',
      'reward-tier': 90,
      'first-name': CANARY,
      'last-name': 'Xilofonte',
      email: 'zymurgia@example.com',
      phone: '+55 11 91234-0001',
      'date-of-birth': '1988-02-29',
      'mother-full-name': 'Zenaide Xilofonte',
      address: {
        'postal-code': '01310-100',
        line1: 'Avenida Paulista 1000',
        city: 'São Paulo',
        state: 'SP',
        country: 'BRA',
      },
      document: { type: 'cnh', 'front-file-id': await this.upload() },
      liveness: { id: `review-${this.made}`, provider: 'provider-1' },
      pep: { declared: false },
      'financial-profile': { sector: 'other', currency: 'BRL', 'monthly-income': 9200.5 },
      ...change,
    });
    return this.waitsForStaff(posted.id);
  }

  readonly queue = async (query: string) =>
    await this.staff.analyst.get<{ 'account-requests': Line[]; counts: Record<string, number> }>(
      `/staff/v1/account-requests?${query}`,
    );
}
