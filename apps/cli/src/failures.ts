import { isApiError, isPonteError, PonteConfigurationError, PonteConnectionError } from '@ponte/sdk';
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
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly exit: number;
  readonly requestId: string | null;
  readonly details: PonteApiError['details'];
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

/** Converts anything thrown to an error to show. */
export function failureOf(error: unknown): Failure {
  if (isApiError(error)) return apiFailure(error as PonteApiError);
  if (error instanceof CliError)
    return { ...plain, code: error.code, message: error.message, hint: error.hint, exit: error.exit };
  if (error instanceof PonteConnectionError) {
    const again =
      error.idempotencyKey === null
        ? ''
        : ` To repeat exactly this request, add --idempotency-key ${error.idempotencyKey}.`;
    return {
      ...plain,
      code: 'no-answer',
      message: error.message,
      hint: `Check the base URL and the network, then try again.${again}`,
      exit: EXIT.unavailable,
    };
  }
  if (error instanceof PonteConfigurationError) {
    return {
      ...plain,
      code: 'configuration',
      message: error.message,
      hint: 'Correct it, or sign in again: ponte login.',
      exit: EXIT.usage,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    ...plain,
    code: isPonteError(error) ? 'sdk' : 'unexpected',
    message,
    hint: 'Run again with DEBUG=ponte for the stack, and report it.',
    exit: EXIT.unexpected,
  };
}

const plain = { requestId: null, details: [] };

const apiFailure = ({ status, code, message, requestId, details }: PonteApiError): Failure => ({
  code,
  message,
  requestId,
  details,
  hint:
    BY_CODE[code] ??
    BY_STATUS[status] ??
    (status >= 500
      ? 'The service is not available. Try again later.'
      : 'Correct the request. ponte call list-errors explains every code.'),
  exit: exitOf(status, code),
});

function exitOf(status: number, code: string): number {
  if (status === 401 || code === 'too-many-failed-authentications') return EXIT.signIn;
  return status === 429 || status >= 500 ? EXIT.unavailable : EXIT.refused;
}

/** The text for people: every violation, request id and what to do. Messages name the member. */
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
export const failureJson = ({ code, message, requestId, details, hint, exit }: Failure): string =>
  JSON.stringify({ error: { code, message, 'request-id': requestId, details, hint, 'exit-code': exit } });
