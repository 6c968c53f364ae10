import { readFileSync } from 'node:fs';
import { StaffRoutes } from '../../onboarding/src/adapters/operations/staff-routes';

/** An installation that is reached by its staff routes, and the line without the flags that say so. */
export interface Elsewhere {
  readonly baseUrl: string;
  readonly tokenFile: string;
  readonly words: readonly string[];
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const WANTED = 'an installation elsewhere is named by --at <https origin of its staff routes> --token-file <file of the staff token>, before the verb';

/** Reads `--at <origin> --token-file <file>`, which stand before the verb. Undefined when the line has none; throws on half of it. */
export function elsewhereIn(argv: readonly string[]): Elsewhere | undefined {
  if (argv[0] !== '--at' && argv[0] !== '--token-file') return undefined;
  const [first, at = '', second, tokenFile = '', ...words] = argv[0] === '--at' ? argv : [...argv.slice(2, 4), ...argv.slice(0, 2), ...argv.slice(4)];
  if (first !== '--at' || second !== '--token-file' || tokenFile === '' || !URL.canParse(at)) throw new Error(WANTED);
  const { protocol, hostname, origin, pathname } = new URL(at);
  if (pathname !== '/' || (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname)))) throw new Error(`${WANTED}: the token is not sent in clear`);
  return { baseUrl: origin, tokenFile, words };
}

export const routesOf = ({ baseUrl, tokenFile }: Elsewhere): StaffRoutes => new StaffRoutes({ baseUrl, token: readFileSync(tokenFile, 'utf8').trim() });
