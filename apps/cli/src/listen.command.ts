import { Command } from 'commander';
import type { LoggedEvent } from '@ponte/sdk';
import { createWebhookSecret, signWebhook } from '@ponte/sdk';
import { checkTypes, eventLine, positionOf } from './events.command';
import { usage } from './failures';
import type { Profile } from './profile';
import type { Host } from './session';
import { Session } from './session';
import { SECRET_FORMS, webhookSecrets } from './webhook-secret';

interface ListenOptions {
  readonly forward?: string;
  readonly secret?: string;
  readonly after: string;
  readonly type?: string[];
}

/** The response of the receiver; the status is null without a response. */
interface Delivery {
  readonly status: number | null;
  readonly ms: number;
  readonly error?: string;
}

const TIMEOUT_MS = 5_000;
const MS_PER_SECOND = 1_000;
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|host\.docker\.internal)$/;

export const listenCommand = (host: Host): Command =>
  new Command('listen')
    .description('print events as they happen, and forward them as signed webhooks to a local receiver')
    .option('--forward <url>', 'the URL to forward to, for example http://localhost:4000/webhooks')
    .option(
      '--secret <whsec>',
      `the secret that signs forwarded webhooks (default: one that is generated on this machine); ${SECRET_FORMS}`,
    )
    .option('--after <position>', 'start after this position of the log, or at `latest`', 'latest')
    .option('--type <types...>', 'print only events of these types')
    .action((options: ListenOptions, command: Command) => listen(Session.of(host, command), options));

async function listen(session: Session, { forward, secret, after, type }: ListenOptions): Promise<void> {
  const { ponte, accountId, output, signal } = session;
  checkTypes(type);
  const target = forward === undefined ? undefined : localUrl(forward);
  const signing = target && (givenSecret(session, secret) ?? localSecret(session));
  if (target) output.note(`Forwarding to ${target.href}. Verify with the secret ${signing}`);
  const onConnection = (change: { state: string; reason?: Error }): void =>
    output.note(
      change.state === 'open'
        ? 'Listening. Press Ctrl-C to stop.'
        : `The connection was lost (${change.reason?.message}); reconnecting.`,
    );
  for await (const logged of ponte.events(accountId, { after: positionOf(after), signal, onConnection })) {
    if (type && !type.includes(logged.event['event-type'])) continue;
    const delivery = target && signing ? await deliver(logged, target, signing) : undefined;
    output.line(
      { position: logged.position, event: logged.event, ...(delivery ? { delivery } : {}) },
      () => `${eventLine(logged)}${resultOf(delivery)}`,
    );
  }
}

/** Posts an event as the API would: with the same body and headers, and only status 200 counts as delivered. */
async function deliver({ event }: LoggedEvent, target: URL, secret: string): Promise<Delivery> {
  const body = JSON.stringify(event);
  const started = Date.now();
  const headers = await signWebhook(
    { id: event['event-id'], timestamp: Math.floor(started / MS_PER_SECOND), body },
    secret,
  );
  try {
    const response = await fetch(target, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return { status: response.status, ms: Date.now() - started };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    return { status: null, ms: Date.now() - started, error: cause?.code ?? cause?.message ?? message };
  }
}

function resultOf(delivery: Delivery | undefined): string {
  if (!delivery) return '';
  const { status, ms, error } = delivery;
  const remark = status === 200 ? '' : ' (Ponte would try again: only 200 is success)';
  return `  -> ${status === null ? `no answer (${error})` : `${status}${remark}`} in ${ms} ms`;
}

/** Events contain personal data, so they are forwarded only to this machine. */
function localUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || !LOCAL.test(url.hostname)) {
    throw usage(
      `${text} is not a URL on this machine.`,
      'Pass one such as http://localhost:4000/webhooks; for another host create a webhook endpoint.',
    );
  }
  return url;
}

function givenSecret({ host }: Session, option: string | undefined): string | undefined {
  const [secret, ...others] = webhookSecrets(host, option === undefined ? [] : [option]);
  if (others.length > 0 || (option !== undefined && secret === undefined)) throw usage('Pass exactly one secret.');
  return secret;
}

/** Stores the secret, so that it is the same on every run and a receiver is configured only once. */
function localSecret({ store, profileName, profile }: Session): string {
  const stored = profile['webhook-secret'];
  if (stored !== undefined) return stored;
  const secret = createWebhookSecret();
  const known = store.read(profileName);
  if (known) store.write(profileName, { ...known, 'webhook-secret': secret } satisfies Profile);
  return secret;
}
