import { isApiError, isPonteError, PonteAbortError, PonteConfigurationError, PonteConnectionError } from '@ponte/sdk';
import type { PonteApiError } from '@ponte/sdk';
import { printable } from './output';

/** The exit codes of the program, which `ponte --help` lists. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  signIn: 3,
  refused: 4,
  unavailable: 5,
  notVerified: 6,
  waitedTooLong: 7,
  interrupted: 130,
} as const;

/** An error of the command line itself. */
export class CliError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** What the user should do. */
    readonly hint: string,
    readonly exit: number,
  ) {
    super(message);
  }
}

/** Wrong usage that Commander cannot detect. */
export const usage = (message: string, hint = 'See --help.'): CliError =>
  new CliError('usage', message, hint, EXIT.usage);

/** An error as shown to the user. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly exit: number;
  readonly requestId: string | null;
  readonly details: PonteApiError['details'];
  /** The key that repeats a write whose outcome is unknown; otherwise null. */
  readonly idempotencyKey: string | null;
}

const BY_CODE: Readonly<Record<string, string>> = {
  'unknown-api-key': 'Sign in with the key of this installation: ponte login --key-file <file>.',
  'revoked-api-key': 'The key was revoked. Sign in with another one: ponte login --key-file <file>.',
  'token-expired': 'The clock of this machine is wrong by more than five seconds. Synchronise it.',
  'api-key-read-only': 'Use a key with read-write access.',
  'account-not-active': 'Read the status of the account: ponte accounts. Only an active account can be changed.',
  'account-access-denied': 'Use --account with an account of this key: ponte accounts lists them.',
  'quote-expired': 'Request another quote and accept it at once: ponte quote.',
  'quote-already-accepted': 'A quote can be accepted only once. Request another one: ponte quote.',
  'insufficient-balance': 'Fund the account first; in the sandbox: ponte trigger pix-paid.',
  'asset-pair-not-supported': 'See which pairs are offered: ponte call list-pairs.',
  'too-many-failed-authentications': 'Check the key: ponte login --key-file <file>.',
  'cursor-expired': 'Events are kept for 90 days. Start at a later position.',
  'idempotency-in-progress': 'The first request with this key is still being processed. Try again later.',
  'deposit-not-found': 'Check the id, --account, and --asset: a deposit is found only under its own asset.',
  'idempotency-key-reused': 'Use another idempotency key for a different request.',
  'route-not-found': 'Check the base URL and the ids. Sandbox operations exist only in the sandbox.',
  'unreadable-response': 'Check the base URL: the response is not from Ponte.',
};

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'Check the key: ponte login --key-file <file>.',
  403: 'Check that the key and the account may do this. ponte call list-errors explains every code.',
  404: 'Check the id, and --account.',
  429: 'Too many requests. Try again later.',
};

/**
 * Converts anything thrown to an error to show. `acceptsKey` is true for a command that can repeat its request with
 * `--idempotency-key`.
 */
export function failureOf(error: unknown, acceptsKey = false): Failure {
  const failure = describe(error);
  if (!isPonteError(error) || !error.mayHaveBeenProcessed) return failure;
  const { idempotencyKey } = error;
  // It was not refused, even if the last response was a refusal, or a success that could not be read.
  const exit = failure.exit === EXIT.refused ? EXIT.unavailable : failure.exit;
  return { ...failure, exit, idempotencyKey, hint: `${repetition(idempotencyKey, acceptsKey)} ${failure.hint}` };
}

/** Says how to repeat a request that may have been processed. With another key it could be done twice. */
function repetition(key: string | null, acceptsKey: boolean): string {
  if (key !== null && acceptsKey)
    return `The request may have been processed. To repeat it without doing it twice, add --idempotency-key ${key}.`;
  return `The request may have been processed. ${key === null ? 'Repeat it' : 'Check that before you repeat it'}.`;
}

function describe(error: unknown): Failure {
  if (isApiError(error)) return apiFailure(error as PonteApiError);
  if (error instanceof CliError) {
    const { code, message, hint, exit } = error;
    return { ...plain, code, message, hint, exit };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PonteAbortError)
    return { ...plain, code: 'interrupted', message, hint: INTERRUPTED, exit: EXIT.interrupted };
  if (error instanceof PonteConnectionError)
    return { ...plain, code: 'no-answer', message, hint: UNREACHABLE, exit: EXIT.unavailable };
  if (error instanceof PonteConfigurationError)
    return { ...plain, code: 'configuration', message, hint: MISCONFIGURED, exit: EXIT.usage };
  const code = isPonteError(error) ? 'sdk' : 'unexpected';
  return { ...plain, code, message, hint: UNEXPECTED, exit: EXIT.unexpected };
}

const INTERRUPTED = 'The command was interrupted before a response arrived.';
const UNREACHABLE = 'Check the base URL and the network, then try again.';
const MISCONFIGURED = 'Correct it, or sign in again: ponte login.';
const UNEXPECTED = 'Run again with DEBUG=ponte for the stack, and report it.';
const UNAVAILABLE = 'The service is not available. Try again later.';
const PROXY_FAILED = 'The response is from a proxy or a load balancer. Try again later.';
const REFUSED = 'Correct the request. ponte call list-errors explains every code.';

const plain = { requestId: null, details: [], idempotencyKey: null };

const apiFailure = ({ status, code, message, requestId, details }: PonteApiError): Failure => ({
  ...plain,
  code,
  message,
  requestId,
  details,
  hint: hintOf(status, code),
  exit: exitOf(status, code),
});

function hintOf(status: number, code: string): string {
  if (status >= 500 || status === 408) return code === 'unreadable-response' ? PROXY_FAILED : UNAVAILABLE;
  return BY_CODE[code] ?? BY_STATUS[status] ?? REFUSED;
}

function exitOf(status: number, code: string): number {
  if (status === 401 || code === 'too-many-failed-authentications') return EXIT.signIn;
  const isTemporary = status === 408 || status === 429 || status >= 500 || code === 'idempotency-in-progress';
  return isTemporary ? EXIT.unavailable : EXIT.refused;
}

/** The text for people: every violation, request id and what to do. Messages name the field. */
export const failureText = ({ code, message, requestId, details, hint }: Failure): string =>
  [
    `error: ${message} (${code})`,
    ...details.filter((one) => one.message !== message).map((one) => `  ${one.message} (${one.code})`),
    ...(requestId === null ? [] : [`request: ${requestId}`]),
    `what to do: ${hint}`,
  ]
    .map(printable)
    .join('\n');

/** The JSON for programs, written to standard error. */
export const failureJson = ({ code, message, requestId, details, hint, exit, idempotencyKey }: Failure): string =>
  JSON.stringify({
    error: {
      code,
      message,
      'request-id': requestId,
      details,
      'idempotency-key': idempotencyKey,
      hint,
      'exit-code': exit,
    },
  });
