import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { usage } from './failures';
import type { Profile } from './profile';
import { readableByOthers } from './profile';

/** The content of a key file. The other fields of the profile come from options. */
interface KeyFile {
  readonly profile: Partial<Profile>;
  /** Problems of the file that the user should know about. */
  readonly warnings: readonly string[];
}

const SECRET = /^sk_test_\S+$/;
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const FORMS =
  'the sandbox.json of a sandbox, a text with sk_test_…, a PKCS#8 PEM (with --key-id), or JSON with base-url, key-id, private-key-file and account-id';

/** Reads a key file in any of the accepted forms. Throws an error that lists them if the file has another form. */
export function readKeyFile(path: string): KeyFile {
  let text: string;
  let mode: number;
  try {
    text = readFileSync(path, 'utf8').trim();
    mode = statSync(path).mode;
  } catch {
    throw usage(`The key file cannot be read: ${path}.`, `Pass ${FORMS}.`);
  }
  const warnings = readableByOthers(mode)
    ? [`${path} can be read by other users of this machine: chmod 600 ${path}`]
    : [];
  if (SECRET.test(text)) return { profile: { 'api-key': text }, warnings };
  if (PEM.test(text)) return { profile: { 'private-key-file': resolve(path) }, warnings };
  return { profile: fromJson(text, path), warnings };
}

function fromJson(text: string, path: string): Partial<Profile> {
  let values: Readonly<Record<string, unknown>>;
  try {
    values = JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    throw usage(`The format of the key file is unknown: ${path}.`, `Pass ${FORMS}.`);
  }
  const of = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
  const privateKey = of('private-key-file');
  const profile = {
    'base-url': of('base-url'),
    // A sandbox has a partner and a sub-account that is ready to trade.
    'account-id': of('subaccount-id') ?? of('account-id'),
    'api-key': of('api-key'),
    'key-id': of('key-id'),
    'private-key-file': privateKey === undefined ? undefined : resolve(path, '..', privateKey),
  };
  if (profile['api-key'] === undefined && profile['private-key-file'] === undefined)
    throw usage(`The key file contains no API key: ${path}.`, `Pass ${FORMS}.`);
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
}
