import { Command } from 'commander';
import { usage } from './failures';
import { readKeyFile } from './key-file';
import type { Profile } from './profile';
import type { Host } from './session';
import { clientOf, Session } from './session';

interface LoginOptions {
  readonly keyFile: string;
  readonly keyId?: string;
}

export function loginCommands(host: Host): Command[] {
  const login = new Command('login')
    .description('check a key file and save it as a profile')
    .requiredOption('--key-file <file>', "a sandbox's sandbox.json, a PKCS#8 private key, or a file with sk_test_…")
    .option('--key-id <id>', 'the id of the API key (ak_…), required with a private key')
    .action((options: LoginOptions, command: Command) => signIn(Session.of(host, command), options));
  const logout = new Command('logout')
    .description('delete the saved profile')
    .action((_: unknown, command: Command) => {
      const { store, profileName, output } = Session.of(host, command);
      const removed = store.remove(profileName);
      output.result({ profile: profileName, removed }, () =>
        removed ? `Signed out of ${profileName}.` : `${profileName} was not signed in.`,
      );
    });
  return [login, logout];
}

async function signIn(
  { store, profileName, output, options, host }: Session,
  { keyFile, keyId }: LoginOptions,
): Promise<void> {
  const { profile: read, warnings } = readKeyFile(keyFile);
  for (const warning of warnings) output.note(`note: ${warning}`);
  const profile = {
    ...read,
    ...(keyId === undefined ? {} : { 'key-id': keyId }),
    ...given('base-url', options.baseUrl ?? host.env['PONTE_BASE_URL']),
    ...given('account-id', options.account ?? host.env['PONTE_ACCOUNT_ID']),
  };
  if (profile['base-url'] === undefined) throw usage('The key file contains no base URL.', 'Pass --base-url <url>.');
  // Check the key before storing it.
  const { items } = await clientOf(profile).listAccounts({ limit: 1 }, { signal: host.signal });
  const accountId = profile['account-id'] ?? items[0]?.id ?? '';
  store.write(profileName, { ...profile, 'account-id': accountId } as Profile);
  const shown = { profile: profileName, 'base-url': profile['base-url'], 'account-id': accountId, file: store.file };
  output.result(
    shown,
    () =>
      `Signed in to ${profile['base-url']} as ${profileName}; commands act on account ${accountId}.\nStored in ${store.file}, which only you can read.`,
  );
}

const given = (name: keyof Profile, value: string | undefined): Partial<Profile> => (value ? { [name]: value } : {});
