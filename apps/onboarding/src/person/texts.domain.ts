import type { Violation } from '@ponte/kernel';
import { violation } from '@ponte/kernel';

/** Aliases and key names, which are shown on screens. */
const SHOWN_NAME = /^[^\p{Cc}]{1,80}$/u;
/** An id that the partner chooses and gets back unchanged. */
const EXTERNAL_ID = /^[\x21-\x7e]{1,255}$/;

/** What is wrong with an alias or the name of a key. */
export const nameViolations = (name: string, path: string): Violation[] =>
  SHOWN_NAME.test(name) && name.trim() === name
    ? []
    : [violation('invalid-format', path, 'must be 1 to 80 printable characters, without spaces at the ends')];

export const externalIdViolations = (externalId: string | null): Violation[] =>
  externalId === null || EXTERNAL_ID.test(externalId)
    ? []
    : [violation('invalid-format', 'external-id', 'must be 1 to 255 printable ASCII characters, without spaces')];

/** What is wrong with a reason, which must be one of a fixed list. */
export const reasonViolations = (reason: string, allowed: readonly string[]): Violation[] =>
  allowed.includes(reason)
    ? []
    : [violation('invalid-enum-value', 'reason', `the reason must be one of ${allowed.join(', ')}`)];

/** Checks words against a fixed list, because they stay in events permanently. */
export const wordViolations = (words: readonly string[], allowed: readonly string[], path: string): Violation[] =>
  words.every((word) => allowed.includes(word))
    ? []
    : [violation('invalid-enum-value', path, `must be one of ${allowed.join(', ')}`)];
