import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { StaffRoutesOptions } from '../../onboarding/src/admin/adapters/staff-routes';
import { StaffRoutes } from '../../onboarding/src/admin/adapters/staff-routes';

/** An installation that is reached by its staff routes, and the line without the flags that say so. */
export interface Elsewhere {
  readonly baseUrl: string;
  readonly tokenFile: string;
  readonly words: readonly string[];
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const WANTED =
  'an installation elsewhere is named by --at <https origin of its staff routes> --token-file <file of the staff token>, before the verb';
const NAMES_ONE = /^--(at|token-file)(=|$)/;

/**
 * Reads `--at <origin> --token-file <file>`, which stand before the verb. Undefined when the line has none; throws on
 * half of it.
 */
export function elsewhereIn(argv: readonly string[]): Elsewhere | undefined {
  if (!NAMES_ONE.test(argv[0] ?? '')) return undefined;
  const { at, tokenFile, words } = flagsOf(argv);
  if (!tokenFile || !at || !URL.canParse(at)) throw new Error(WANTED);
  const { protocol, hostname, origin, pathname } = new URL(at);
  if (pathname !== '/' || (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname))))
    throw new Error(`${WANTED}: the token is not sent in clear`);
  return { baseUrl: origin, tokenFile, words };
}

/** What stands behind the verb is the verb's, whatever it is called. */
function flagsOf(argv: readonly string[]): {
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
    throw new Error(WANTED, { cause: error });
  }
}

/** How its gateway is reached; the token is read when it is needed. */
export const optionsOf =
  ({ baseUrl, tokenFile }: Elsewhere) =>
  (): StaffRoutesOptions => ({ baseUrl, token: readFileSync(tokenFile, 'utf8').trim() });

export const routesOf = (elsewhere: Elsewhere): StaffRoutes => new StaffRoutes(optionsOf(elsewhere)());
