import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { PonteConfigurationError, verifyWebhook, WebhookVerificationError } from '@ponte/sdk';
import type { WebhookEvent } from '@ponte/sdk';
import { CliError, EXIT, usage } from '../failures';
import { fields, table } from '../output';
import type { Host } from '../session';
import { Session } from '../session';
import { SECRET_FORMS, SECRET_VARIABLE, webhookSecrets } from '../webhook-secret';
import type { TokenCheck } from './check-token';
import { checkToken } from './check-token';

interface WebhookOptions {
  readonly secret?: string[];
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  readonly tolerance: string;
}

interface TokenOptions {
  readonly publicKey: string;
  readonly method?: string;
  readonly uri?: string;
  readonly body?: string;
  readonly keyId?: string;
}

/** `verify webhook` and `verify jwt` send nothing. */
export function verifyCommand(host: Host): Command {
  const verify = new Command('verify').description(
    'check a signature without sending anything, and explain what is wrong with it',
  );
  verify
    .command('webhook')
    .description('check the signature of a webhook')
    .option('--secret <whsec...>', `the secret of the endpoint; two during a rotation; ${SECRET_FORMS}`)
    .requiredOption('--id <webhook-id>', 'the header webhook-id')
    .requiredOption('--timestamp <webhook-timestamp>', 'the header webhook-timestamp')
    .requiredOption('--signature <webhook-signature>', 'the header webhook-signature')
    .requiredOption('--body <file>', 'a file that holds the raw body, or - for standard input')
    .option('--tolerance <seconds>', 'the maximum age of the webhook, in seconds', '300')
    .action((options: WebhookOptions, command: Command) => verifyAWebhook(Session.of(host, command), options));
  verify
    .command('jwt')
    .description('check each claim of a request token')
    .argument('<token>', 'the token, without the word Bearer')
    .requiredOption('--public-key <file>', 'the public key as PEM (SPKI)')
    .option('--method <method>', 'the HTTP method of the request')
    .option('--uri <uri>', 'the path and query of the request')
    .option('--body <file>', 'a file that holds the raw body, or - for standard input')
    .option('--key-id <id>', 'the id of the API key')
    .action((token: string, options: TokenOptions, command: Command) =>
      verifyToken(Session.of(host, command), token, options),
    );
  return verify;
}

async function verifyAWebhook({ output, host }: Session, options: WebhookOptions): Promise<void> {
  const secrets = webhookSecrets(host, options.secret);
  if (secrets.length === 0) throw usage('A secret is required.', `Pass --secret @<file>, or set ${SECRET_VARIABLE}.`);
  const headers = {
    'webhook-id': options.id,
    'webhook-timestamp': options.timestamp,
    'webhook-signature': options.signature,
  };
  const body = read(options.body);
  if (!/^\d+$/.test(options.tolerance))
    throw usage(`--tolerance must be a whole number of seconds: ${options.tolerance}.`);
  try {
    const event = await verifyWebhook({ headers, body }, secrets, {
      toleranceSeconds: Number(options.tolerance),
    });
    output.result({ valid: true, event }, () => `The signature is valid.\n${eventText(event)}`);
  } catch (error) {
    if (error instanceof PonteConfigurationError)
      throw usage(
        `The secret cannot be used: ${error.message}.`,
        'Copy it from the response to create-webhook-endpoint.',
      );
    if (!(error instanceof WebhookVerificationError)) throw error;
    throw new CliError(
      error.code,
      `The webhook is not valid: ${error.message}.`,
      'Do not process it; respond with 400.',
      EXIT.notVerified,
    );
  }
}

/** Anyone with the secret can sign a body that is not an event. */
function eventText(event: Partial<WebhookEvent> | null): string {
  const { 'event-id': id, 'event-type': type } = event ?? {};
  return id === undefined || type === undefined
    ? 'The body is not an event: it has no event-id or no event-type.'
    : fields({ event: id, type });
}

function verifyToken({ output }: Session, token: string, { publicKey, body, ...request }: TokenOptions): void {
  const checks = checkToken(token, {
    ...request,
    publicKey: read(publicKey).toString('utf8'),
    body: body === undefined ? undefined : read(body),
  });
  output.result({ valid: checks.every(({ ok }) => ok), checks }, () => table(checks, COLUMNS, ''));
  const wrong = checks.find(({ ok }) => !ok);
  if (wrong)
    throw new CliError(
      wrong.code,
      `The token is not valid: ${wrong.finding}`,
      'Correct the claim that is marked WRONG.',
      EXIT.notVerified,
    );
}

const COLUMNS = [
  { title: 'part', of: (one: TokenCheck) => one.part },
  { title: '', of: (one: TokenCheck) => (one.ok ? 'ok' : 'WRONG') },
  { title: 'finding', of: (one: TokenCheck) => one.finding },
];

function read(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? 0 : path);
  } catch {
    throw usage(`The file cannot be read: ${path}.`);
  }
}
