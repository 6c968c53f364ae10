import 'reflect-metadata';
import { ApiProperty } from '@nestjs/swagger';
import { getMetadataStorage, IsArray, IsObject, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import type { FieldType, RuleContext } from './field-types';

/** A class that describes a JSON object. */
export type Shape<T extends object = object> = new () => T;

/**
 * `null` was sent, so that it is of the wrong type wherever it may not stand, whether or not the member is required.
 */
const missing = () =>
  ValidateBy(
    { name: 'isSent', validator: { validate: (value) => value !== undefined } },
    { message: 'is required', context: { code: 'missing-field' } satisfies RuleContext },
  );

function member(
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

/** When the rules of a member apply at all. */
function condition(required: boolean, nullable: boolean): PropertyDecorator[] {
  if (required) return nullable ? [ValidateIf((_, value) => value !== null)] : [];
  return [
    ValidateIf(nullable ? (_, value) => value !== undefined && value !== null : (_, value) => value !== undefined),
  ];
}

/**
 * Written in the manner of OpenAPI 3.0, which the document's builder understands; the document then says it in that of
 * 3.1.
 */
const schemaOf = (kind: FieldType, nullable: boolean) => (nullable ? { ...kind.schema, nullable: true } : kind.schema);

/** A member that must be there. */
export const Required = (kind: FieldType, description: string, example?: unknown) =>
  member(kind, description, true, false, example);
/** A member that may be left out. Of a request, `null` is the same as absent ({@link optionalMembers}). */
export const Optional = (kind: FieldType, description: string, example?: unknown) =>
  member(kind, description, false, false, example);
/** A member that is always there and `null` while it has no value. */
export const Nullable = (kind: FieldType, description: string, example?: unknown) =>
  member(kind, description, true, true, example);
/** A member that may be left out or `null`, which is the same. */
export const OptionalNullable = (kind: FieldType, description: string, example?: unknown) =>
  member(kind, description, false, true, example);

interface Nested {
  readonly shape: Shape;
  readonly list: boolean;
}
interface Description {
  readonly schema: FieldType['schema'];
  readonly description: string;
  readonly required: boolean;
  readonly example: unknown;
}

const NESTED = Symbol('nested shapes');
const DESCRIPTIONS = Symbol('descriptions');
const OPTIONAL = Symbol('optional members');

const remembered = <T>(key: symbol, target: object): ReadonlyMap<string, T> =>
  (Reflect.getMetadata(key, target) as ReadonlyMap<string, T> | undefined) ?? new Map<string, T>();

function remember<T>(key: symbol, target: object, name: string | symbol, value: T): void {
  Reflect.defineMetadata(key, new Map(remembered<T>(key, target)).set(String(name), value), target);
}

/** A rule that class-validator stores for a member. */
export type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

export const rulesOf = (shape: Shape): Rule[] =>
  getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);

/** The members that a shape declares, its own before those it inherits. */
export const memberNames = (shape: Shape): string[] => [...new Set(rulesOf(shape).map((one) => one.propertyName))];

/** The shapes of a class's members that are objects, or lists of objects, by name. */
export const nestedShapes = (shape: Shape): ReadonlyMap<string, Nested> =>
  remembered(NESTED, shape.prototype as object);

/** The members of a class that may be left out. */
export const optionalMembers = (shape: Shape): readonly string[] =>
  [...remembered<boolean>(OPTIONAL, shape.prototype as object)]
    .filter(([, optional]) => optional)
    .map(([name]) => name);

/** An example of a class, of its required members' examples and the members that are given. */
export function exampleOf<T extends object>(shape: Shape<T>, given: Partial<T> = {}): T {
  const objects = nestedShapes(shape);
  const descriptions = memberDescriptions(shape);
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

/** What the documents say of a class's other members, by name. */
export const memberDescriptions = (shape: Shape): ReadonlyMap<string, Description> =>
  remembered(DESCRIPTIONS, shape.prototype as object);

function nested(
  shape: () => Shape,
  description: string,
  required: boolean,
  list: boolean,
  nullable = false,
): PropertyDecorator {
  const type = list ? 'must be a list' : 'must be an object';
  const decorators = [
    ValidateNested({ message: type, context: { code: 'invalid-type' } satisfies RuleContext }),
    (list ? IsArray : IsObject)({ message: type, context: { code: 'invalid-type' } satisfies RuleContext }),
    ...(required ? [missing()] : []),
    ...condition(required, nullable),
    // OpenAPI resolves a lazily given type by this name of the function.
    ApiProperty({ type: () => shape(), description, required, isArray: list, ...(nullable ? { nullable } : {}) }),
  ];
  return (target, name) => {
    remember(NESTED, target, name, { shape: shape(), list });
    remember(OPTIONAL, target, name, !required);
    decorators.forEach((decorate) => decorate(target, name));
  };
}

export const RequiredObject = (shape: () => Shape, description: string) => nested(shape, description, true, false);
/** An object, or `null`. */
export const NullableObject = (shape: () => Shape, description: string) =>
  nested(shape, description, true, false, true);
export const OptionalObject = (shape: () => Shape, description: string) => nested(shape, description, false, false);
export const RequiredObjects = (shape: () => Shape, description: string) => nested(shape, description, true, true);
export const OptionalObjects = (shape: () => Shape, description: string) => nested(shape, description, false, true);

/** An object as JSON makes it: neither null, nor a list, nor an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
