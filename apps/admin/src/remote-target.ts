import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { StaffGateway } from './staff-api/staff-api';

/** Another installation, and the command line without the options that name it. */
interface RemoteTarget {
  readonly baseUrl: string;
  readonly tokenFile: string;
  readonly words: readonly string[];
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const FORM =
  'to use another installation, pass --at <https origin of its staff API> --token-file <file of the staff token> before the verb';
const UNENCRYPTED =
  '--at must be an https origin; plain http would expose the token and is allowed only for this machine';
const NAMES_ONE = /^--(at|token-file)(=|$)/;

/**
 * Reads `--at <origin> --token-file <file>` from the start of the line. Returns undefined if the line begins with
 * neither. Throws if one is missing or invalid.
 */
export function remoteTargetIn(argv: readonly string[]): RemoteTarget | undefined {
  if (!NAMES_ONE.test(argv[0] ?? '')) return undefined;
  const { at, tokenFile, words } = optionsOf(argv);
  if (!tokenFile || !at || !URL.canParse(at)) throw new Error(FORM);
  const { protocol, hostname, origin, pathname } = new URL(at);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname))) throw new Error(UNENCRYPTED);
  if (pathname !== '/') throw new Error(`--at must be an origin without a path, such as ${origin}`);
  return { baseUrl: origin, tokenFile, words };
}

/** Options after the verb belong to the verb, whatever their names. */
function optionsOf(argv: readonly string[]): {
  readonly at?: string;
  readonly tokenFile?: string;
  readonly words: readonly string[];
} {
  const line = new Command('admin')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .helpOption(false)
    .option('--at <origin>')
    .option('--token-file <file>')
    .argument('[words...]')
    .passThroughOptions();
  try {
    return { ...line.parse(argv, { from: 'user' }).opts<{ at?: string; tokenFile?: string }>(), words: line.args };
  } catch (error) {
    throw new Error(FORM, { cause: error });
  }
}

/** The gateway of that installation. The token is read only when it is needed. */
export const gatewayOf = async ({ baseUrl, tokenFile }: RemoteTarget): Promise<StaffGateway> => ({
  baseUrl,
  token: readFileSync(tokenFile, 'utf8').trim(),
});
