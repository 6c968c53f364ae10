import type { ApiKeyAccess, ApiKeyAlgorithm, RateLimits } from '@ponte/contracts';
import { RATE_NAMES, RATES, REVOCATION_REASONS } from '@ponte/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { refuse, refuseAll } from '@ponte/kernel';
import { collect } from './account-verbs';
import type { AdminOptions } from './cli';
import type { CreateKeyInput } from './operations';
import { show } from './output';

interface CreateFlags extends Partial<RateLimits> {
  readonly account: string;
  readonly name: string;
  readonly access: ApiKeyAccess;
  readonly publicKey?: string;
  readonly algorithm?: ApiKeyAlgorithm;
  readonly bearer?: boolean;
  readonly ipAllowlist: readonly string[];
  readonly json?: boolean;
}

export function keyVerbs(options: AdminOptions): Command[] {
  return [create(options), revoke(options)];
}

function create({ operations, print, readFile }: AdminOptions): Command {
  return new Command('key:create')
    .description('make an API key of an account')
    .requiredOption('--account <account-id>', 'whose key it is')
    .requiredOption('--name <text>', 'a name for screens')
    .addOption(
      new Option('--access <access>', 'what it may do').choices(['read-only', 'read-write']).default('read-only'),
    )
    .option('--public-key <file>', "PEM of the partner's public key, for keys that sign JWTs")
    .addOption(new Option('--algorithm <name>', 'of the public key').choices(['RS256', 'ES256', 'EdDSA']))
    .option('--bearer', 'sandbox alone: a plain secret in the place of a public key')
    .option('--ip-allowlist <blocks>', 'addresses or CIDR blocks; repeatable, or a comma list', collect, [])
    .addOption(
      new Option(
        '--writes-per-second <count>',
        'limits of this key alone, all four or none: its bucket for writes fills so fast',
      ).argParser(count),
    )
    .addOption(new Option('--write-burst <count>', '... and holds so many').argParser(count))
    .addOption(new Option('--reads-per-second <count>', 'the same for reads').argParser(count))
    .addOption(new Option('--read-burst <count>', '... and so many').argParser(count))
    .option('--json', 'for machines')
    .action(async (flags: CreateFlags) => {
      const { account: accountId, name, access, ipAllowlist } = flags;
      const credential = credentialOf(flags, readFile);
      show(
        print,
        await operations.createKey({
          accountId,
          name,
          access,
          ipAllowlist,
          credential,
          rateLimits: rateLimitsOf(flags),
        }),
        flags.json,
      );
    });
}

function credentialOf(
  { bearer, publicKey, algorithm }: CreateFlags,
  readFile: (path: string) => string,
): CreateKeyInput['credential'] {
  if (bearer) {
    return publicKey === undefined && algorithm === undefined
      ? { kind: 'bearer' }
      : refuse('invalid-format', 'a key is a bearer key or has a public key, not both', 'bearer');
  }
  if (publicKey === undefined)
    return refuse('missing-field', 'give --public-key with --algorithm, or --bearer in the sandbox', 'public-key');
  if (algorithm === undefined) return refuse('missing-field', 'a public key comes with its --algorithm', 'algorithm');
  return { kind: 'jwt', algorithm, publicKey: readFile(publicKey) };
}

/** What the defaults of the environment are is not known here, so that nothing can be filled in. */
function rateLimitsOf(flags: Partial<RateLimits>): RateLimits | null {
  const missing = RATES.filter((rate) => flags[rate] === undefined);
  if (missing.length === RATES.length) return null;
  refuseAll(
    missing.map((rate) => ({
      code: 'missing-field',
      path: `rate-limits.${RATE_NAMES[rate]}`,
      message: `--${RATE_NAMES[rate]} must be given together with the other limits`,
    })),
  );
  const { writesPerSecond = 0, writeBurst = 0, readsPerSecond = 0, readBurst = 0 } = flags;
  return { writesPerSecond, writeBurst, readsPerSecond, readBurst };
}

function count(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('a whole number above zero');
  return Number(text);
}

function revoke({ operations, print }: AdminOptions): Command {
  return new Command('key:revoke')
    .description('end an API key at once and for good')
    .requiredOption('--key <key-id>', 'the key')
    .addOption(new Option('--reason <word>', 'why').choices(REVOCATION_REASONS).default('operator-request'))
    .option('--json', 'for machines')
    .action(async ({ key, reason, json }: { key: string; reason: string; json?: boolean }) =>
      show(print, await operations.revokeKey(key, reason), json),
    );
}
