import type { RateLimits } from '@ponte/contracts';
import { RATE_NAMES, RATES, REVOCATION_REASONS } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { show } from '../output';
import type { WireKey } from '../staff-api/bodies';
import type { AccountFlag, JsonFlag, VerbTools } from '../verb';
import { accountPath, accountVerb, collect, noun, verb } from '../verb';

interface CreateFlags extends AccountFlag, Partial<RateLimits> {
  readonly name: string;
  readonly access: string;
  readonly publicKey?: string;
  readonly algorithm?: string;
  readonly bearer?: boolean;
  readonly ipAllowlist: readonly string[];
}
interface KeyEnvelope {
  readonly 'api-key': WireKey;
}

export function apiKeyVerbs(program: Command, tools: VerbTools): void {
  const example = 'create --account <account-id> --name backend --public-key key.pem --algorithm ES256';
  const apiKey = noun(program, 'api-key', 'create and revoke API keys', example);
  create(apiKey, tools);
  verb(apiKey, 'revoke', 'revoke an API key immediately and permanently')
    .requiredOption('--key <key-id>', 'the key')
    .addOption(new Option('--reason <word>', 'why').choices(REVOCATION_REASONS).default('operator-request'))
    .action(async ({ key, reason, json }: JsonFlag & { key: string; reason: string }) => {
      const path = `/staff/api-keys/${encodeURIComponent(key)}/revoke`;
      const { 'api-key': revoked } = await tools.api.post<KeyEnvelope>(path, { reason });
      show(tools.print, { 'key-id': revoked.id, revoked: revoked.revoked }, json);
    });
}

function create(of: Command, { api, print, readFile }: VerbTools): void {
  const limit = (flags: string, description: string): Option => new Option(flags, description).argParser(count);
  accountVerb(of, 'create', 'create an API key of an account')
    .requiredOption('--name <text>', 'the display name of the key')
    .addOption(
      new Option('--access <access>', 'what it may do').choices(['read-only', 'read-write']).default('read-only'),
    )
    .option('--public-key <file>', "a PEM file with the partner's public key, for a key that signs JWTs")
    .addOption(new Option('--algorithm <name>', 'the algorithm of the public key').choices(['RS256', 'ES256', 'EdDSA']))
    .option('--bearer', 'sandbox only: a plain secret instead of a public key')
    .option(
      '--ip-allowlist <blocks>',
      'addresses or CIDR blocks; repeat the option or separate with commas',
      collect,
      [],
    )
    .addOption(limit('--writes-per-second <count>', 'writes that this key may make per second; give all four or none'))
    .addOption(limit('--write-burst <count>', 'writes at once'))
    .addOption(limit('--reads-per-second <count>', 'reads per second'))
    .addOption(limit('--read-burst <count>', 'reads at once'))
    .action(async ({ account, json, ...flags }: CreateFlags) => {
      const { name, access, ipAllowlist } = flags;
      const rates = RATES.filter((rate) => flags[rate] !== undefined);
      const { 'api-key': key } = await api.post<KeyEnvelope>(accountPath(account, 'api-keys'), {
        name,
        access,
        ...credentialOf(flags, readFile),
        'ip-allowlist': ipAllowlist.length > 0 ? ipAllowlist : null,
        'rate-limits': rates.length > 0 ? Object.fromEntries(rates.map((one) => [RATE_NAMES[one], flags[one]])) : null,
      });
      const { id, 'account-id': accountId, access: granted, secret = null } = key;
      show(print, { 'key-id': id, 'account-id': accountId, access: granted, secret }, json);
    });
}

function credentialOf(
  { bearer, publicKey, algorithm }: Pick<CreateFlags, 'bearer' | 'publicKey' | 'algorithm'>,
  readFile: (path: string) => string,
): object {
  if (bearer) {
    return publicKey === undefined && algorithm === undefined
      ? { bearer: true }
      : refuse('invalid-format', 'Pass --bearer or --public-key, not both.', 'bearer');
  }
  if (publicKey === undefined)
    return refuse('missing-field', 'Pass --public-key with --algorithm, or --bearer in the sandbox.', 'public-key');
  if (algorithm === undefined) return refuse('missing-field', '--public-key requires --algorithm.', 'algorithm');
  return { algorithm, 'public-key': readFile(publicKey) };
}

function count(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number greater than zero.');
  return Number(text);
}
