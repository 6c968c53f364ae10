import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { TargetRules } from '../../endpoints/target.domain';
import { isPublicAddress, literalAddress } from '../../endpoints/target.domain';
import type { Resolve } from './resolve';

/** Thrown when the target is not allowed; nothing was sent to it. */
export class TargetRefused extends Error {
  constructor() {
    super('a webhook target must have public addresses only');
  }
}

interface ConnectorOptions {
  readonly rules: TargetRules;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** Whether an address may be connected to under strict rules. */
  readonly isAllowed?: (address: string) => boolean;
}

/**
 * Connects to allowed addresses only. It checks a literal address before connecting, because Node calls the lookup only
 * for names. For a name it checks all addresses and connects to one of those, so DNS rebinding has no effect. Before
 * the request is written, it also checks the address that the socket is connected to.
 */
export function guardedConnector({
  rules,
  resolve,
  timeoutMs,
  isAllowed = isPublicAddress,
}: ConnectorOptions): buildConnector.connector {
  if (rules.privateAllowed) return buildConnector({ timeout: timeoutMs });
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(resolve, isAllowed) });
  return (options, callback) => {
    const literal = literalAddress(options);
    if (literal !== undefined && !isAllowed(literal)) return callback(new TargetRefused(), null);
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isAllowed(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(new TargetRefused(), null);
    });
  };
}

function guardedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => isAllowed(address))) return callback(new TargetRefused(), '');
        if (all) return callback(null, [...addresses]);
        callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
