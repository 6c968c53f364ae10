import type { ErrorCode } from '@ponte/kernel';
import { ASSET_IDS, isUuid, parseDecimal, parseInstant } from '@ponte/kernel';
import type { ValidationOptions } from 'class-validator';
import { IsBoolean, IsIn, IsInt, IsObject, IsString, Length, Matches, ValidateBy } from 'class-validator';

/** The context stored with a rule: the code of its violation and, for a list, the test of one element. */
export interface RuleContext {
  readonly code: ErrorCode;
  readonly element?: (value: unknown) => boolean;
}

/** A kind of member: its rules and its schema in the OpenAPI document. */
export interface FieldType {
  readonly rules: readonly PropertyDecorator[];
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The options of a rule: its message and the code of its violation. */
export const says = (code: ErrorCode, message: string): ValidationOptions => ({
  message,
  context: { code } satisfies RuleContext,
});

export const isText = IsString(says('invalid-type', 'must be a string'));

/** A custom rule with a name, checked by `test`. */
export const rule = (
  name: string,
  test: (value: unknown) => boolean,
  code: ErrorCode,
  message: string,
): PropertyDecorator => ValidateBy({ name, validator: { validate: test } }, says(code, message));

/** A test for strings. Other types pass, because another rule reports them. */
export const ofText = (test: (text: string) => boolean) => (value: unknown) => typeof value !== 'string' || test(value);

export const text = (min: number, max: number, pattern?: RegExp): FieldType => ({
  rules: [
    isText,
    Length(min, max, says('invalid-format', `must have ${min === max ? min : `${min} to ${max}`} characters`)),
    ...(pattern ? [Matches(pattern, says('invalid-format', 'has the wrong format'))] : []),
  ],
  schema: { type: 'string', minLength: min, maxLength: max, ...(pattern ? { pattern: pattern.source } : {}) },
});

export const oneOf = (values: readonly string[]): FieldType => ({
  rules: [isText, IsIn(values, says('invalid-enum-value', `must be one of: ${values.join(', ')}`))],
  schema: { type: 'string', enum: [...values] },
});

export const asset: FieldType = oneOf(ASSET_IDS);

export const uuid: FieldType = {
  rules: [isText, rule('isCanonicalUuid', ofText(isUuid), 'invalid-format', 'must be a UUID')],
  schema: { type: 'string', format: 'uuid' },
};

export const instant: FieldType = {
  rules: [
    isText,
    rule(
      'isInstant',
      ofText((value) => parseInstant(value) !== undefined),
      'invalid-format',
      'must be an RFC 3339 time such as 2026-01-31T12:00:00.000Z',
    ),
  ],
  schema: { type: 'string', format: 'date-time' },
};

const isNumber = (value: unknown) => typeof value === 'number';
const isPositiveDecimal = (value: string) => {
  const decimal = parseDecimal(value);
  return decimal !== undefined && decimal.digits > 0n;
};

/** Matches zero in any notation, to exclude it from amounts. */
const ZERO = { type: 'string', pattern: '^[0.]*$' };

/** A positive decimal string. A JSON number has its own code: it is the most common mistake and loses digits. */
export const amount: FieldType = {
  rules: [
    rule(
      'amountIsNoNumber',
      (value) => !isNumber(value),
      'amount-must-be-string',
      'amounts are decimal strings, not JSON numbers',
    ),
    rule(
      'amountIsText',
      (value) => typeof value === 'string' || isNumber(value),
      'invalid-type',
      'must be a decimal string',
    ),
    rule(
      'isPositiveDecimal',
      ofText(isPositiveDecimal),
      'invalid-format',
      'must be a positive plain decimal such as 12.50',
    ),
  ],
  schema: {
    type: 'string',
    format: 'decimal',
    pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$',
    not: ZERO,
  },
};

/** The largest length of the amount of a quote. */
const MAX_QUOTE_AMOUNT = 40;
const QUOTE_AMOUNT = /^(0|[1-9]\d{0,17})(\.\d+)?$/;

/** A positive decimal string for a quote. Decimals beyond the asset's scale are cut off instead of refused. */
export const quoteAmount: FieldType = {
  rules: [
    ...amount.rules.slice(0, 2),
    rule(
      'isPositiveQuoteAmount',
      ofText((value) => value.length <= MAX_QUOTE_AMOUNT && QUOTE_AMOUNT.test(value) && /[1-9]/.test(value)),
      'invalid-format',
      'must be a positive plain decimal such as 12.50',
    ),
  ],
  schema: { type: 'string', format: 'decimal', maxLength: MAX_QUOTE_AMOUNT, pattern: QUOTE_AMOUNT.source, not: ZERO },
};

const decimalOf = (pattern: RegExp): FieldType => ({
  rules: [
    isText,
    rule(
      'isPlainDecimal',
      ofText((value) => pattern.test(value)),
      'invalid-format',
      'must be a plain decimal',
    ),
  ],
  schema: { type: 'string', format: 'decimal' },
});

/** Any plain decimal including zero, for responses. */
export const decimal = decimalOf(/^\d{1,60}(\.\d{1,18})?$/);

/** As {@link decimal}, but also below zero, for a balance after the bank took a payment back. */
export const signedDecimal = decimalOf(/^-?\d{1,60}(\.\d{1,18})?$/);

export const address: FieldType = text(42, 42, /^0x[0-9a-fA-F]{40}$/);

export const flag: FieldType = {
  rules: [IsBoolean(says('invalid-type', 'must be true or false'))],
  schema: { type: 'boolean' },
};
export const whole: FieldType = {
  rules: [IsInt(says('invalid-type', 'must be a whole number'))],
  schema: { type: 'integer' },
};

/** A whole number from `min` to `max`. */
export const wholeWithin = (min: number, max: number): FieldType => ({
  rules: [
    ...whole.rules,
    rule(
      'isWithin',
      (value) => typeof value !== 'number' || (value >= min && value <= max),
      'invalid-format',
      `must be a whole number from ${min} to ${max}`,
    ),
  ],
  schema: { ...whole.schema, minimum: min, maximum: max },
});

/** An object with any members, for responses that contain a map. */
export const record: FieldType = {
  rules: [IsObject(says('invalid-type', 'must be an object'))],
  schema: { type: 'object', additionalProperties: true },
};
