import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Ponte } from '@ponte/sdk';
import type { Credentials } from '@ponte/sdk';
import { CliError, EXIT, usage } from './failures';
import { Output } from './output';
import type { Streams } from './output';
import type { Profile } from './profile';
import { configFolder, ProfileStore } from './profile';

/** What the process that runs the program provides. */
export interface Host extends Streams {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user interrupts the program. */
  readonly signal: AbortSignal;
}

/** The options that apply to every command. */
interface GlobalOptions {
  readonly json?: boolean;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly account?: string;
}

/** One run of a command, with its output, API key and account. */
export class Session {
  readonly output: Output;
  readonly store: ProfileStore;
  private connected: Ponte | undefined;

  constructor(
    readonly host: Host,
    readonly options: GlobalOptions,
  ) {
    for (const [name, value] of Object.entries({ '--account': options.account, '--base-url': options.baseUrl }))
      // As from an unset variable of the shell. The command would act on the account of the profile.
      if (value === '') throw usage(`${name} is empty.`, 'Pass a value, or leave the option out.');
    this.output = new Output(options.json ?? false, host);
    this.store = new ProfileStore(configFolder(host.env));
  }

  static of(host: Host, command: Command): Session {
    return new Session(host, command.optsWithGlobals<GlobalOptions>());
  }

  get signal(): AbortSignal {
    return this.host.signal;
  }

  get profileName(): string {
    return this.options.profile ?? this.host.env['PONTE_PROFILE'] ?? 'default';
  }

  /** Options take precedence over the environment, and the environment over the stored profile. */
  get profile(): Partial<Profile> {
    const { env } = this.host;
    const stored: Partial<Profile> = this.store.read(this.profileName) ?? {};
    const { 'api-key': _secret, 'key-id': _keyId, 'private-key-file': _file, ...place } = stored;
    const key = env['PONTE_API_KEY'] ? { ...place, 'api-key': env['PONTE_API_KEY'] } : stored;
    const baseUrl = this.options.baseUrl ?? env['PONTE_BASE_URL'];
    const account = this.options.account ?? env['PONTE_ACCOUNT_ID'];
    return { ...key, ...(baseUrl ? { 'base-url': baseUrl } : {}), ...(account ? { 'account-id': account } : {}) };
  }

  get ponte(): Ponte {
    return (this.connected ??= clientOf(this.profile));
  }

  get accountId(): string {
    // Throws first if there is no sign-in, which would also select an account.
    void this.ponte;
    const id = this.profile['account-id'];
    if (id === undefined)
      throw usage('An account is required.', 'Pass --account <id>. To list your accounts, run: ponte accounts.');
    return id;
  }
}

/** A client with the key of a profile. Throws `not-signed-in` without a base URL or key. */
export function clientOf(profile: Partial<Profile>): Ponte {
  const { 'base-url': baseUrl } = profile;
  const credentials = credentialsOf(profile);
  if (baseUrl === undefined || credentials === undefined) {
    throw new CliError(
      'not-signed-in',
      'You are not signed in.',
      'Sign in first: ponte login --key-file <file>.',
      EXIT.signIn,
    );
  }
  return new Ponte({ baseUrl, ...credentials, headers: { 'user-agent': 'ponte-cli' } });
}

function credentialsOf(profile: Partial<Profile>): Credentials | undefined {
  const { 'api-key': apiKey, 'key-id': keyId, 'private-key-file': file } = profile;
  if (apiKey !== undefined) return { apiKey };
  if (file === undefined) return undefined;
  if (keyId === undefined) throw usage('A private key requires the id of its API key.', 'Pass --key-id ak_….');
  try {
    return { keyId, privateKey: readFileSync(file, 'utf8') };
  } catch {
    throw new CliError(
      'configuration',
      `The private key cannot be read: ${file}.`,
      'Sign in again: ponte login --key-file <file> --key-id <id>.',
      EXIT.signIn,
    );
  }
}

/** The option of a write with the key that the user passed, if any. */
export const keyOf = ({ idempotencyKey }: { readonly idempotencyKey?: string }): { idempotencyKey?: string } =>
  idempotencyKey === undefined ? {} : { idempotencyKey };
