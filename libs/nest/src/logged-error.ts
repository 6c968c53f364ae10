import { stdSerializers } from 'pino';

interface LoggedError {
  readonly type: string;
  /** The messages of the error and its causes. */
  readonly message: string;
  readonly stack: string;
  /** For example `ECONNREFUSED`, or the SQLSTATE of a database error. */
  readonly code?: unknown;
}

/** A URL from its scheme to its end. Stack frames of modules are `file:` and `node:` URLs and contain no secret. */
const URLS = /\b(?!file:|node:)[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]*/gi;

/**
 * Serializes an error for the log. Of a URL only the scheme and the host are kept: providers put API keys into paths
 * and queries, and HTTP clients quote the URL in their messages. Other members of the error are left out for the same
 * reason. Anything that is not an error is returned unchanged.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = stdSerializers.err(error) as unknown as LoggedError;
  return {
    type,
    message: withoutPaths(message),
    stack: withoutPaths(stack),
    ...(code === undefined ? {} : { code }),
  } satisfies LoggedError;
}

const withoutPaths = (text: string): string => text.replace(URLS, originOf);

function originOf(url: string): string {
  if (URL.canParse(url)) {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}/***`;
  }
  return `${url.slice(0, url.indexOf(':'))}://***`;
}
