import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from './client';
import type { Running } from './program';

interface NewAccount {
  readonly alias: string;
  readonly 'legal-name': string;
  readonly 'tax-id': string;
  readonly 'parent-id'?: string;
  readonly 'onboarding-mode'?: 'kyc' | 'reliance';
  readonly 'bank-account'?: {
    readonly 'bank-code': string;
    readonly 'branch-number': string;
    readonly 'account-number': string;
  };
}

/** An API client with the staff token of an installation. */
export class Operator {
  private constructor(readonly api: Client) {}

  static of({ dataDirectory, sandbox }: Pick<Running, 'dataDirectory' | 'sandbox'>): Operator {
    const token = readFileSync(join(dataDirectory, 'staff-token'), 'utf8').trim();
    return new Operator(new Client(sandbox['base-url'], { authorization: `Staff ${token}` }));
  }

  async openAccount(command: NewAccount): Promise<string> {
    return (await this.api.post<{ account: { id: string } }>('/staff/accounts', { ...command })).account.id;
  }

  /** Creates a bearer key for an account and returns its secret. */
  async bearerKey(accountId: string, access: 'read-only' | 'read-write'): Promise<string> {
    const { 'api-key': key } = await this.api.post<{ 'api-key': { secret: string } }>(
      `/staff/accounts/${accountId}/api-keys`,
      { name: 'test', access, bearer: true },
    );
    return key.secret;
  }
}
