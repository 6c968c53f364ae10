import type { ApiKeyRecord } from '@ponte/contracts';
import { GetApiKey, KEY_ID_BYTES, keyIdOfBearer, newApiKeyId, secretHashOf } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { systemContext } from '@ponte/nest';
import type { AccountCommands } from './account-commands';

/** One key is spent each time that the caller lost the last one; no one loses so many. */
const MAX_KEYS = 1_000;

/** The ready partners' keys. */
export class SandboxKeys {
  constructor(
    private readonly engines: Pick<Engines, 'bus' | 'ids'>,
    private readonly commands: AccountCommands,
    private readonly actor: string,
  ) {}

  /**
   * The known secret when it still opens the account, else that of a new key. `name` tells the account's keys from
   * another's.
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
    throw new Error(`the sandbox has lost ${MAX_KEYS} keys; reset it`);
  }

  private find(keyId: string): Promise<ApiKeyRecord | null> {
    return this.engines.bus.request(GetApiKey, { keyId }, systemContext(this.engines.ids, this.actor));
  }
}

const isGood = ({ accountId, revoked, credential }: ApiKeyRecord, wanted: string, secret: string): boolean =>
  accountId === wanted && !revoked && credential.kind === 'bearer' && credential.secretHash === secretHashOf(secret);
