import 'reflect-metadata';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  getMetadataStorage,
  IsArray,
  IsObject,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { FieldType, RuleContext } from './field-types';
import { says } from './field-types';

/** How a body with undeclared fields is treated. */
export type UnknownFields = 'refuse' | 'ignore';

/** A class that describes a JSON object. */
export type Shape<T extends object = object> = new () => T;

/** Requires that the field was sent. A `null` counts as sent and, where it is not allowed, has the wrong type. */
const missing = () =>
  ValidateBy(
    { name: 'isSent', validator: { validate: (value) => value !== undefined } },
    { message: 'is required', context: { code: 'missing-field' } satisfies RuleContext },
  );

function field(
  kind: FieldType,
  description: string,
  required: boolean,
  nullable: boolean,
  example?: unknown,
): PropertyDecorator {
  const decorators = [
    ...kind.rules,
    ...(required ? [missing()] : []),
    ...condition(required, nullable),
    ApiProperty({ ...schemaOf(kind, nullable), description, required, ...(example === undefined ? {} : { example }) }),
  ];
  return (target, name) => {
    remember(DESCRIPTIONS, target, name, { schema: schemaOf(kind, nullable), description, required, example });
    remember(OPTIONAL, target, name, !required);
    decorators.forEach((decorate) => decorate(target, name));
  };
}

/** The condition under which the rules of a field apply. */
function condition(required: boolean, nullable: boolean): PropertyDecorator[] {
  if (required) return nullable ? [ValidateIf((_, value) => value !== null)] : [];
  return [
    ValidateIf(nullable ? (_, value) => value !== undefined && value !== null : (_, value) => value !== undefined),
  ];
}

/** Uses the `nullable` of OpenAPI 3.0, which the document builder understands. It is converted to 3.1 later. */
const schemaOf = (kind: FieldType, nullable: boolean) => (nullable ? { ...kind.schema, nullable: true } : kind.schema);

export const Required = (kind: FieldType, description: string, example?: unknown) =>
  field(kind, description, true, false, example);
/** An optional field. In a request, `null` means absent ({@link optionalFields}). */
export const Optional = (kind: FieldType, description: string, example?: unknown) =>
  field(kind, description, false, false, example);
/** A required field that is `null` while it has no value. */
export const Nullable = (kind: FieldType, description: string, example?: unknown) =>
  field(kind, description, true, true, example);
/** An optional field that may be `null`, which means the same as absent. */
export const OptionalNullable = (kind: FieldType, description: string, example?: unknown) =>
  field(kind, description, false, true, example);

interface Nested {
  readonly shape: Shape;
  readonly list: boolean;
  /** The largest number of elements of a list. */
  readonly max: number;
}
interface Description {
  readonly schema: FieldType['schema'];
  readonly description: string;
  readonly required: boolean;
  readonly example: unknown;
}

const NESTED = Symbol('nested shapes');
const DESCRIPTIONS = Symbol('descriptions');
const OPTIONAL = Symbol('optional fields');

const remembered = <T>(key: symbol, target: object): ReadonlyMap<string, T> =>
  (Reflect.getMetadata(key, target) as ReadonlyMap<string, T> | undefined) ?? new Map<string, T>();

function remember<T>(key: symbol, target: object, name: string | symbol, value: T): void {
  Reflect.defineMetadata(key, new Map(remembered<T>(key, target)).set(String(name), value), target);
}

export type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

export const rulesOf = (shape: Shape): Rule[] =>
  getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);

/** The fields that a shape declares, its own before inherited ones. */
export const fieldNames = (shape: Shape): string[] => [...new Set(rulesOf(shape).map((one) => one.propertyName))];

/** The shapes of the fields that are objects or lists of objects, by name. */
export const nestedShapes = (shape: Shape): ReadonlyMap<string, Nested> =>
  remembered(NESTED, shape.prototype as object);

export const optionalFields = (shape: Shape): readonly string[] =>
  [...remembered<boolean>(OPTIONAL, shape.prototype as object)]
    .filter(([, optional]) => optional)
    .map(([name]) => name);

/** An example of a class, from the examples of its required fields and the given fields. */
export function exampleOf<T extends object>(shape: Shape<T>, given: Partial<T> = {}): T {
  const objects = nestedShapes(shape);
  const descriptions = fieldDescriptions(shape);
  const example: Record<string, unknown> = {};
  for (const [name, optional] of remembered<boolean>(OPTIONAL, shape.prototype as object)) {
    const inner = objects.get(name);
    if (name in given) example[name] = given[name as keyof T];
    else if (optional) continue;
    else if (inner) example[name] = inner.list ? [exampleOf(inner.shape)] : exampleOf(inner.shape);
    else example[name] = descriptions.get(name)?.example;
  }
  return example as T;
}

/** The descriptions of the fields that are not objects or lists of objects, by name. */
export const fieldDescriptions = (shape: Shape): ReadonlyMap<string, Description> =>
  remembered(DESCRIPTIONS, shape.prototype as object);

function nested(
  shape: () => Shape,
  description: string,
  required: boolean,
  list: boolean,
  { nullable = false, element = 'an object', max = Infinity } = {},
): PropertyDecorator {
  const type = list ? 'must be a list' : 'must be an object';
  const decorators = [
    // In a list, each element is nested.
    ValidateNested({ message: `must be ${element}`, context: { code: 'invalid-type' } satisfies RuleContext }),
    (list ? IsArray : IsObject)({ message: type, context: { code: 'invalid-type' } satisfies RuleContext }),
    ...(max < Infinity ? [ArrayMaxSize(max, says('invalid-format', `must have at most ${max} elements`))] : []),
    ...(required ? [missing()] : []),
    ...condition(required, nullable),
    // The document builder recognizes a lazily given type by this function's name, `type`.
    ApiProperty({
      type: () => shape(),
      description,
      required,
      isArray: list,
      ...(nullable ? { nullable } : {}),
      ...(max < Infinity ? { maxItems: max } : {}),
    }),
  ];
  return (target, name) => {
    remember(NESTED, target, name, { shape: shape(), list, max });
    remember(OPTIONAL, target, name, !required);
    decorators.forEach((decorate) => decorate(target, name));
  };
}

export const RequiredObject = (shape: () => Shape, description: string) => nested(shape, description, true, false);
export const NullableObject = (shape: () => Shape, description: string) =>
  nested(shape, description, true, false, { nullable: true });
export const OptionalObject = (shape: () => Shape, description: string) => nested(shape, description, false, false);
export const RequiredObjects = (shape: () => Shape, description: string) => nested(shape, description, true, true);
/**
 * `element` names what an element may be, in the message for one that is not. A list of more than `max` elements is
 * refused before they are checked.
 */
export const OptionalObjects = (
  shape: () => Shape,
  description: string,
  options: { readonly element?: string; readonly max?: number } = {},
) => nested(shape, description, false, true, options);

/** Whether the value is an object as parsed from JSON: not null, a list or an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
