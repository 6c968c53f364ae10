import * as ts from 'typescript';
import type { ContractSource } from './source';
import { plain } from './source';

export type Schema = Readonly<Record<string, unknown>>;

/** Schemas of aliases of `string`, whose format the TypeScript type does not show. */
const TEXTS: Readonly<Record<string, Schema>> = {
  Timestamp: {
    type: 'string',
    format: 'date-time',
    description: 'ISO 8601 in UTC with milliseconds: `2026-01-31T12:00:00.000Z`',
  },
  DecimalText: {
    type: 'string',
    pattern: '^-?\\d+(\\.\\d+)?$',
    description: 'A decimal string with the decimal places of its asset; never a JSON number',
  },
  Sealed: {
    type: 'string',
    pattern: '^sealed:v1:',
    description:
      'Personal data or a secret, encrypted under the key of its subject. Unreadable once the key is destroyed',
  },
};

/** JSON Schemas of the contracts' types. Each named type gets a schema of that name in `components/schemas`. */
export class Schemas {
  private readonly named = new Map<string, Schema>();

  constructor(private readonly source: ContractSource) {}

  /** The named schemas that have been used so far. */
  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  of(node: ts.TypeNode): Schema {
    if (ts.isParenthesizedTypeNode(node)) return this.of(node.type);
    if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword) return this.of(node.type);
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: this.of(node.elementType) };
    if (ts.isUnionTypeNode(node)) return this.union(node);
    if (ts.isTypeReferenceNode(node)) return this.reference(node);
    return this.ofType(this.source.checker.getTypeFromTypeNode(node));
  }

  ofInterface(name: string): Schema {
    return this.component(name, this.source.interfaceOf(name));
  }

  private union(node: ts.UnionTypeNode): Schema {
    const { checker } = this.source;
    const literals = node.types.map((one) => literalOf(checker.getTypeFromTypeNode(one)));
    return literals.every((one) => one !== undefined)
      ? { enum: literals }
      : { oneOf: node.types.map((one) => this.of(one)) };
  }

  private reference(node: ts.TypeReferenceNode): Schema {
    const { checker } = this.source;
    const name = node.typeName.getText();
    const text = TEXTS[name];
    if (text) return this.remember(name, () => text);
    const [first, second] = node.typeArguments ?? [];
    if (name === 'Record' && second) return { type: 'object', additionalProperties: this.of(second) };
    if (name === 'Readonly' && first) return this.of(first);
    const symbol = checker.getSymbolAtLocation(node.typeName);
    const declared = (symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
      ?.declarations?.[0];
    const isNamed =
      declared &&
      (ts.isInterfaceDeclaration(declared) || ts.isTypeAliasDeclaration(declared)) &&
      !declared.typeParameters;
    return isNamed ? this.component(name, declared) : this.ofType(checker.getTypeFromTypeNode(node));
  }

  private component(name: string, declared: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): Schema {
    return this.remember(name, () => {
      const schema = ts.isTypeAliasDeclaration(declared)
        ? this.of(declared.type)
        : this.ofType(this.source.checker.getTypeAtLocation(declared));
      return described(schema, this.source.descriptionOf(declared));
    });
  }

  private remember(name: string, make: () => Schema): Schema {
    if (!this.named.has(name)) {
      // A placeholder while the schema is built, so that a type may refer to itself.
      this.named.set(name, {});
      this.named.set(name, make());
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  private ofType(type: ts.Type): Schema {
    const literal = literalOf(type);
    if (literal !== undefined) return literal === null ? { type: 'null' } : { const: literal };
    if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    if (type.isUnion()) {
      const literals = type.types.map(literalOf);
      return literals.every((one) => one !== undefined)
        ? { enum: literals }
        : { oneOf: type.types.map((one) => this.ofType(one)) };
    }
    if (type.flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (type.flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Unknown) return {};
    if (type.flags & (ts.TypeFlags.NonPrimitive | ts.TypeFlags.TypeParameter)) return { type: 'object' };
    return this.object(type);
  }

  private object(type: ts.Type): Schema {
    const members = this.source.checker.getPropertiesOfType(type);
    if (members.length === 0 && !(type.flags & ts.TypeFlags.Object))
      throw new Error(`cannot derive a schema for type ${this.source.checker.typeToString(type)}`);
    return {
      type: 'object',
      required: members.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name),
      properties: Object.fromEntries(members.map((member) => [member.name, this.member(member)])),
    };
  }

  private member(member: ts.Symbol): Schema {
    const { checker } = this.source;
    const declared = member.valueDeclaration;
    const node = declared && ts.isPropertySignature(declared) ? declared.type : undefined;
    // For a generic parameter, the resolved type of the field is used.
    const own =
      node && !(checker.getTypeFromTypeNode(node).flags & ts.TypeFlags.TypeParameter)
        ? this.of(node)
        : this.ofType(checker.getTypeOfSymbol(member));
    return described(own, plain(ts.displayPartsToString(member.getDocumentationComment(checker))));
  }
}

/** Adds a description. Fields next to a `$ref` are ignored, so the reference is wrapped in `allOf`. */
function described(schema: Schema, description: string): Schema {
  if (description === '') return schema;
  return '$ref' in schema ? { description, allOf: [schema] } : { description, ...schema };
}

function literalOf(type: ts.Type): string | number | boolean | null | undefined {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  if (type.flags & ts.TypeFlags.Null) return null;
  if (type.flags & ts.TypeFlags.BooleanLiteral)
    return (type as ts.Type & { readonly intrinsicName: string }).intrinsicName === 'true';
  return undefined;
}
