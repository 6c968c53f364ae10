import { freePort } from '@ponte/testing';
import type { WebhookReceiver } from '../../../demo/webhook-receiver';
import { startWebhookReceiver } from '../../../demo/webhook-receiver';
import type { Json } from '../../testing/client';
import { Client } from '../../testing/client';
import { Customer } from '../../testing/customer';
import type { Running } from '../../testing/program';
import { Program, SIMULATED } from '../../testing/program';
import { signInStaff } from '../../testing/staff';
import { until } from '../../testing/waiting';
import { FILE_NAME, PNG } from './privacy-people';

export const REQUESTS = '/api/v1/accounts/kyc/individual';

interface Asked extends Json {
  readonly id: string;
  readonly 'account-id': string;
  readonly status: string;
  readonly 'review-stage': string | null;
}
export interface Envelope {
  readonly 'account-request': Asked;
}

/** The running program, which writes all logs, with partners and staff that have signed in. */
export class PrivacyUnderTest {
  /**
   * Texts that must not contain personal data, above all responses to partners. Staff may see the person, but a partner
   * does not even get back what it sent.
   */
  readonly said: [string, string][] = [];

  private constructor(
    private readonly program: Program,
    readonly running: Running,
    readonly managementPort: number,
    readonly partner: Client,
    readonly reliance: Client,
    private readonly staff: Readonly<Record<string, Client>>,
    readonly receiver: WebhookReceiver,
  ) {}

  static start(): Promise<PrivacyUnderTest> {
    return Program.setUp((program) => PrivacyUnderTest.startWith(program));
  }

  private static async startWith(program: Program): Promise<PrivacyUnderTest> {
    const managementPort = await freePort();
    const running = await program.start(program.dataFolder(), {
      ...SIMULATED,
      PONTE_LOG_LEVEL: 'trace',
      MANAGEMENT_PORT: String(managementPort),
    });
    const { 'base-url': baseUrl, 'api-key': apiKey, 'account-id': accountId, staff: people } = running.sandbox;
    const partner = Client.bearer(baseUrl, apiKey);
    const reliance = Client.bearer(baseUrl, running.sandbox['reliance-api-key']);
    const staff = Object.fromEntries(
      await Promise.all(people.map(async (one) => [one.name, await signInStaff(baseUrl, one)] as const)),
    );
    const receiver = await startWebhookReceiver();
    receiver.useSecret(await new Customer(partner, accountId).listen(receiver.url));
    return new PrivacyUnderTest(program, running, managementPort, partner, reliance, staff, receiver);
  }

  async close(): Promise<void> {
    await Promise.all([this.partner, this.reliance, ...Object.values(this.staff)].map((client) => client.close()));
    await this.program.close();
    await this.receiver.close();
  }

  /** Adds a text that must not contain personal data, and returns it. */
  heard(what: string, text: string): string {
    this.said.push([what, text]);
    return text;
  }

  by(name: string): Client {
    return this.staff[name] ?? this.partner;
  }

  async upload(purpose: string): Promise<string> {
    const { text, body } = await this.partner.send<{ file: { id: string } }>('POST', '/api/v1/accounts/files', {
      'content-base64': PNG,
      'file-name': FILE_NAME,
      purpose,
    });
    this.heard('a file', text);
    return body.file.id;
  }

  /** Waits until the request is as requested. */
  stands(client: Client, id: string, requested: (one: Asked) => boolean): Promise<Asked> {
    return until(async () => {
      const { 'account-request': request } = await client.get<Envelope>(`${REQUESTS}/${id}`);
      this.heard('a request', JSON.stringify(request));
      if (!requested(request)) throw new Error(`it is ${request.status}, ${String(request['review-stage'])}`);
      return request;
    });
  }

  waitsForStaff(id: string): Promise<Asked> {
    return this.stands(this.partner, id, (one) => one['review-stage'] === 'manual-review');
  }

  work(name: string, id: string, verb: string, body: Json = {}): Promise<Json> {
    return this.by(name).post<Json>(`/staff/v1/account-requests/${id}/${verb}`, body);
  }

  /** Decides a case as it is now, as a staff member does who has just read it. */
  async decide(name: string, id: string, verb: string, body: Json): Promise<Json> {
    const { case: read } = await this.by(name).post<{ case: { item: { version: number } } }>(
      `/staff/v1/account-requests/${id}/case`,
      { purpose: 'review' },
    );
    return this.work(name, id, verb, { version: read.item.version, ...body });
  }
}
