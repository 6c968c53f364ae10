import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { createServer } from 'node:https';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { selfSigned } from '@ponte/testing';
import { BankClient } from '../payouts/bank-client.adapter';

const certificateOfBank = selfSigned();
const ours = selfSigned();

/** Longer than an answer takes on any machine. */
const PATIENT_MS = 60_000;

interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly authorization: string | undefined;
  readonly subject: string | undefined;
}

export const reply = (response: ServerResponse, status: number, body: unknown): true => {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
  return true;
};

/** A bank that requires our certificate and a token, and answers as the test configures. */
export class BankUnderTest {
  seen: SeenRequest[] = [];
  tokens = 0;
  /** The scope of the latest token. */
  scope: string | null = null;
  now = 0;
  /** Handles a request instead of the bank, unless it returns false. */
  answer: ((request: IncomingMessage, response: ServerResponse, body: unknown) => boolean) | undefined;
  client!: BankClient;
  private server!: Server;
  private readonly payments = new Map<string, Record<string, unknown>>();

  constructor() {
    beforeAll(() => this.listen());
    beforeEach(() => {
      [this.seen, this.tokens, this.now, this.answer] = [[], 0, 0, undefined];
      this.payments.clear();
      this.client = this.clientFor();
    });
    afterEach(() => this.client.close());
    afterAll(
      () =>
        new Promise((resolve) => {
          this.server.close(resolve);
        }),
    );
  }

  /** Writes our credentials to files and returns the variables that name this bank as the one with the prefix. */
  environment(folder: string, prefix: string): Record<string, string> {
    const { port } = this.server.address() as { port: number };
    const file = (name: string, text: string): string => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    return {
      [`${prefix}_URL`]: `https://localhost:${port}`,
      [`${prefix}_TOKEN_URL`]: `https://localhost:${port}/oauth/token`,
      [`${prefix}_CLIENT_ID`]: 'ponte',
      [`${prefix}_CLIENT_SECRET_FILE`]: file('secret', 's:cret\n'),
      [`${prefix}_CERTIFICATE_FILE`]: file('certificate.pem', ours.certificate),
      [`${prefix}_KEY_FILE`]: file('key.pem', ours.key),
      [`${prefix}_CA_FILE`]: file('ca.pem', certificateOfBank.certificate),
      // A slow machine may take longer than the default for the first call.
      [`${prefix}_TIMEOUT_MS`]: String(PATIENT_MS),
    };
  }

  clientFor(more: object = {}): BankClient {
    const { port } = this.server.address() as { port: number };
    return new BankClient({
      url: `https://localhost:${port}`,
      tokenUrl: `https://localhost:${port}/oauth/token`,
      clientId: 'ponte',
      clientSecret: 's:cret',
      scope: null,
      certificate: ours.certificate,
      key: ours.key,
      ca: certificateOfBank.certificate,
      timeoutMs: PATIENT_MS,
      now: () => this.now,
      ...more,
    });
  }

  private async listen(): Promise<void> {
    const { key, certificate: cert } = certificateOfBank;
    this.server = createServer(
      { key, cert, ca: ours.certificate, requestCert: true, rejectUnauthorized: true },
      (request, response) => void this.handle(request, response),
    );
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { method = '', url = '', headers } = request;
    if (url === '/oauth/token') {
      const isRight =
        headers.authorization === `Basic ${Buffer.from('ponte:s%3Acret').toString('base64')}` &&
        /^grant_type=client_credentials(&|$)/.test(text);
      this.scope = new URLSearchParams(text).get('scope');
      return void (isRight
        ? reply(response, 200, { access_token: `token-${(this.tokens += 1)}`, expires_in: 60, token_type: 'Bearer' })
        : reply(response, 401, { error: 'invalid_client' }));
    }
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    this.seen.push({
      method,
      url,
      body,
      authorization: headers.authorization,
      subject: (request.socket as TLSSocket).getPeerCertificate().subject?.CN as string | undefined,
    });
    if (this.answer?.(request, response, body)) return;
    const [, , id = '', rest] = url.split('/');
    if (url.startsWith('/keys/'))
      return void reply(response, id === 'gone%40x.example' ? 404 : 200, {
        taxId: '529.982.247-25',
        name: 'Ana Duarte',
        bankCode: '12345678',
        branch: '0001',
        account: '9-1',
      });
    if (method === 'PUT' && rest === 'cancellation')
      this.payments.set(id, { ...this.payments.get(id), paymentId: id, status: 'REFUSED', refusalReason: 'CANCELLED' });
    else if (method === 'PUT' && !this.payments.has(id))
      this.payments.set(id, {
        paymentId: id,
        status: 'COMPLETED',
        endToEndId: 'E1',
        amount: (body as { amount: string }).amount,
      });
    const payment = this.payments.get(id);
    reply(response, payment ? 200 : 404, payment ?? {});
  }
}
