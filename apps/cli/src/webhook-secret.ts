import { readFileSync } from 'node:fs';
import { usage } from './failures';
import type { Host } from './session';

export const SECRET_VARIABLE = 'PONTE_WEBHOOK_SECRET';

/** Says in the help how a secret is passed. */
export const SECRET_FORMS = `@file reads it from a file; ${SECRET_VARIABLE} is used if the option is absent; as plain text it is visible in process listings`;

/**
 * The webhook secrets of a command: those of `--secret`, or else those of the environment. Either may be `@` and the
 * path of a file, and each text may hold several secrets with spaces between them. Returns an empty list if neither is
 * set. Throws `usage` if a file cannot be read.
 */
export function webhookSecrets({ env }: Pick<Host, 'env'>, options: readonly string[] = []): string[] {
  const texts = options.length > 0 ? options : [env[SECRET_VARIABLE] ?? ''];
  return texts.flatMap((text) => (text.startsWith('@') ? content(text.slice(1)) : text).split(/\s+/)).filter(Boolean);
}

function content(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw usage(`The file of the secret cannot be read: ${path}.`);
  }
}
