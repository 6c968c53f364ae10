import type { ApiKeyRecord } from '@ponte/contracts';
import { GetApiKey, KEY_ID_BYTES, keyIdOfBearer, newApiKeyId, secretHashOf } from '@ponte/contracts';
import { systemContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import type { AccountCommands } from './account-commands';

/** Each time the caller loses the last key, one more is used up. No caller loses this many. */
const MAX_KEYS = 1_000;

/** The keys of the prepared partners. */
export class SandboxKeys {
  constructor(
    private readonly engines: Pick<Engines, 'bus' | 'ids'>,
    private readonly commands: AccountCommands,
    private readonly actor: string,
  ) {}

  /**
   * The known secret if it still opens the account, otherwise the secret of a new key. `name` distinguishes the
   * account's keys from those of other accounts.
   */
  async good(name: string, accountId: string, known: string | null): Promise<string> {
    const keyId = known === null ? undefined : keyIdOfBearer(known);
    const record = keyId === undefined ? null : await this.find(keyId);
    return known !== null && record !== null && isGood(record, accountId, known)
      ? known
      : this.replaced(name, accountId);
  }

  private async replaced(name: string, accountId: string): Promise<string> {
    for (let count = 0; count < MAX_KEYS; count += 1) {
      const keyId = newApiKeyId(
        'sandbox',
        Buffer.from(derivedId('sandbox', name, String(count)).replaceAll('-', ''), 'hex').subarray(0, KEY_ID_BYTES),
      );
      const record = await this.find(keyId);
      if (record === null) return this.commands.createBearerKey(accountId, keyId);
      if (!record.revoked) await this.commands.revokeKey(keyId, 'secret-lost');
    }
    throw new Error(`the sandbox has used up ${MAX_KEYS} keys; reset it`);
  }

  private find(keyId: string): Promise<ApiKeyRecord | null> {
    return this.engines.bus.request(GetApiKey, { keyId }, systemContext(this.engines.ids, this.actor));
  }
}

const isGood = ({ accountId, revoked, credential }: ApiKeyRecord, wanted: string, secret: string): boolean =>
  accountId === wanted && !revoked && credential.kind === 'bearer' && credential.secretHash === secretHashOf(secret);
