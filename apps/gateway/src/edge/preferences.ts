import type { IncomingHttpHeaders } from 'node:http';

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const DRY_RUN = /^dry-run\s*(?:=\s*"")?\s*(?:;.*)?$/i;

/** Whether the client prefers a dry run: the preference `dry-run` (RFC 7240, no value), alone or among others. */
export function prefersDryRun({ prefer }: IncomingHttpHeaders): boolean {
  if (prefer === undefined) return false;
  const text = [prefer].flat().join(',');
  // What is quoted is a value of another preference, whatever it contains.
  return text
    .replace(QUOTED, (quoted) => (quoted === '""' ? quoted : '"x"'))
    .split(',')
    .some((preference) => DRY_RUN.test(preference.trim()));
}
