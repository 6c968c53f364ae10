import type { ErrorCode, Violation } from '@ponte/kernel';
import { parseInstant } from '@ponte/kernel';
import { ValidateBy } from 'class-validator';
import type { FieldType } from '../validation/field-types';
import { instant } from '../validation/field-types';
import { isPlainObject, Optional } from '../validation/fields';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** A rule with its own error code. */
const rule = (name: string, code: ErrorCode, message: string, test: (value: unknown) => boolean): PropertyDecorator =>
  ValidateBy({ name, validator: { validate: test } }, { message, context: { code } });

const isLimit = (value: unknown) =>
  typeof value === 'string' && /^[1-9]\d{0,2}$/.test(value) && Number(value) <= MAX_LIMIT;
const isCursorText = (value: unknown) => typeof value === 'string' && /^[\w-]{1,300}\.[0-9a-f]{32}$/.test(value);

const limit: FieldType = {
  rules: [rule('isPageLimit', 'invalid-limit', `must be a whole number from 1 to ${MAX_LIMIT}`, isLimit)],
  schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
};

const cursor: FieldType = {
  rules: [rule('isCursor', 'invalid-cursor', 'must be a cursor of this list', isCursorText)],
  schema: { type: 'string' },
};

/** The query parameters of every list. Lists are ordered newest first, by (created-at, id). */
export class PageQuery {
  @Optional(limit, 'Maximum number of items')
  limit?: string;

  @Optional(cursor, 'The `X-Next-Cursor` of the previous page, with the same filters')
  cursor?: string;

  @Optional(instant, 'Only items created at or after this time. Must not be after `created-to`')
  'created-from'?: string;

  @Optional(instant, 'Only items created at or before this time')
  'created-to'?: string;
}

/**
 * The violation of a page query whose time range ends before it begins (`invalid-format`). Times that are missing or
 * malformed are ignored.
 */
export function timeRangeViolations(query: unknown): readonly Violation[] {
  if (!isPlainObject(query)) return [];
  const [from, to] = [timeOf(query['created-from']), timeOf(query['created-to'])];
  if (from === undefined || to === undefined || from <= to) return [];
  return [{ path: 'created-from', code: 'invalid-format', message: 'must not be after `created-to`' }];
}

const timeOf = (value: unknown): number | undefined => (typeof value === 'string' ? parseInstant(value) : undefined);
