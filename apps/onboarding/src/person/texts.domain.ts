import type { Violation } from '@ponte/kernel';
import { violation } from '@ponte/kernel';

/** Aliases and key names stand on screens. */
const SHOWN_NAME = /^[^\p{Cc}]{1,80}$/u;
/** Chosen by a partner, sent back as it came. */
const EXTERNAL_ID = /^[\x21-\x7e]{1,255}$/;

export const nameViolations = (name: string, path: string): Violation[] =>
  SHOWN_NAME.test(name) && name.trim() === name
    ? []
    : [violation('invalid-format', path, 'must be 1 to 80 printable characters, without spaces at the ends')];

export const externalIdViolations = (externalId: string | null): Violation[] =>
  externalId === null || EXTERNAL_ID.test(externalId)
    ? []
    : [violation('invalid-format', 'external-id', 'must be 1 to 255 printable ASCII characters, without spaces')];

export const reasonViolations = (reason: string, allowed: readonly string[]): Violation[] =>
  allowed.includes(reason)
    ? []
    : [violation('invalid-enum-value', 'reason', `the reason is one of ${allowed.join(', ')}`)];

/** Words from a list, for what stays in events for ever. */
export const wordViolations = (words: readonly string[], allowed: readonly string[], path: string): Violation[] =>
  words.every((word) => allowed.includes(word))
    ? []
    : [violation('invalid-enum-value', path, `wanted are ${allowed.join(', ')}`)];
