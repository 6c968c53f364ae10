import type { Fault } from '@ponte/kernel';

/** Aliases and key names stand on screens. */
const SHOWN_NAME = /^[^\p{Cc}]{1,80}$/u;
/** Chosen by a partner, sent back as it came. */
const EXTERNAL_ID = /^[\x21-\x7e]{1,255}$/;

export const fault = (code: string, path: string, message: string): Fault => ({ code, path, message });

export const nameFaults = (name: string, path: string): Fault[] =>
  SHOWN_NAME.test(name) && name.trim() === name ? [] : [fault('invalid-format', path, '1 to 80 printable characters are wanted, without spaces at the ends')];

export const externalIdFaults = (externalId: string | null): Fault[] =>
  externalId === null || EXTERNAL_ID.test(externalId) ? [] : [fault('invalid-format', 'external-id', '1 to 255 printable ASCII characters are wanted, without spaces')];

export const reasonFaults = (reason: string, allowed: readonly string[]): Fault[] =>
  allowed.includes(reason) ? [] : [fault('invalid-enum-value', 'reason', `the reason is one of ${allowed.join(', ')}`)];

/** Words from a list, for what stays in events for ever. */
export const wordFaults = (words: readonly string[], allowed: readonly string[], path: string): Fault[] =>
  words.every((word) => allowed.includes(word)) ? [] : [fault('invalid-enum-value', path, `wanted are ${allowed.join(', ')}`)];
