import type { ListenAddress } from '@ponte/kernel';
import type { CallbackServer } from '@ponte/nest';
import { serveCallbacks } from '@ponte/nest';
import type { BankClient } from '../../payouts/bank-client.adapter';
import { isDone } from '../../payouts/bank-client.adapter';
import { isEndToEndId } from '../end-to-end-id.domain';
import type { PixNotices } from '../pix-charges.port';
import { RailFailed } from '../pix-charges.port';

interface ApiPixNoticesOptions {
  /** The Pix key of our account, whose callbacks are received. */
  readonly key: string;
  /** The public address of the listener, without a trailing slash. */
  readonly url: string;
  readonly listen: ListenAddress;
  /** The part of the path that only we and the bank know, so that strangers cannot make us ask the bank. */
  readonly token: string;
  readonly warn: (facts: { readonly route: string; readonly reason: string }) => void;
}

const PATH = '/callbacks/pix';
const BODY_LIMIT = 1_048_576;

/**
 * The callbacks of Banco Central's API Pix, version 2: the bank posts received payments to the registered URL with
 * `/pix` appended. The ingress in front of the listener terminates TLS and may verify the certificate of the bank.
 */
export class ApiPixNotices implements PixNotices {
  private readonly path: string;
  private server: CallbackServer | undefined;

  constructor(
    private readonly client: Pick<BankClient, 'call'>,
    private readonly options: ApiPixNoticesOptions,
  ) {
    this.path = `${PATH}/${options.token}`;
  }

  async listen(listener: (endToEndIds: readonly string[]) => Promise<void>): Promise<void> {
    const route = {
      name: 'pix',
      refusal: () => null,
      receive: (body: unknown) => listener(endToEndIdsIn(body)),
    };
    this.server = await serveCallbacks({
      ...this.options.listen,
      bodyLimit: BODY_LIMIT,
      warn: this.options.warn,
      // Some banks append nothing.
      routes: [this.path, `${this.path}/pix`].map((path) => ({ ...route, path })),
    });
  }

  /**
   * `GET /webhook/{chave}`, and `PUT` if the bank has no URL or another one. Some banks drop a URL that fails often.
   */
  async register(): Promise<void> {
    const [resource, webhookUrl] = [
      `/webhook/${encodeURIComponent(this.options.key)}`,
      `${this.options.url}${this.path}`,
    ];
    const known = await this.client.call('register', 'GET', resource);
    if (isDone(known) && (known.body as { webhookUrl?: unknown } | null)?.webhookUrl === webhookUrl) return;
    const { status } = await this.client.call('register', 'PUT', resource, { webhookUrl });
    if (!isDone({ status, body: null })) throw new RailFailed('register', `HTTP ${status}`);
  }

  async close(): Promise<void> {
    await this.server?.close();
  }
}

/** The well-formed ids in a callback. Banks also send test callbacks, which have none. */
function endToEndIdsIn(body: unknown): readonly string[] {
  const { pix } = (body ?? {}) as { pix?: unknown };
  const ids = (Array.isArray(pix) ? (pix as unknown[]) : []).map(
    (entry) => (entry as { endToEndId?: unknown } | null)?.endToEndId,
  );
  return [...new Set(ids.filter((id) => typeof id === 'string').filter(isEndToEndId))];
}
