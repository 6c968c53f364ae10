import { join } from 'node:path';
import * as ts from 'typescript';
import type { ServiceName } from '../services';
import { SERVICES } from '../services';

/** An event class of the contracts. */
export interface EventSource {
  readonly service: ServiceName;
  /** The stored type: `OrderPlaced`. */
  readonly name: string;
  readonly version: number;
  readonly description: string;
  readonly data: ts.TypeNode;
}

/**
 * The contracts as parsed by the TypeScript compiler. Types do not exist at run time, and a separate description of the
 * events would diverge from them.
 */
export class ContractSource {
  readonly checker: ts.TypeChecker;
  private readonly files: readonly ts.SourceFile[];
  private readonly folder: string;

  constructor(root: string) {
    this.folder = join(root, 'libs/contracts/src');
    const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), (file) => ts.sys.readFile(file)) as {
      config: object;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    const program = ts.createProgram([join(this.folder, 'index.ts')], { ...options, noEmit: true });
    this.checker = program.getTypeChecker();
    this.files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(this.folder));
  }

  /** Every `class X extends event('X', version)<Data>`, grouped by service and sorted by name. */
  events(): EventSource[] {
    return SERVICES.flatMap((service) =>
      this.files
        .filter(({ fileName }) => fileName.startsWith(join(this.folder, service, '/')))
        .flatMap((file) =>
          file.statements.filter(ts.isClassDeclaration).flatMap((declared) => this.eventOf(service, declared) ?? []),
        )
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
    );
  }

  /** The declaration of an interface of the contracts, exported or not. Throws when no interface has the name. */
  interfaceOf(name: string): ts.InterfaceDeclaration {
    for (const file of this.files) {
      const found = file.statements.find(
        (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && one.name.text === name,
      );
      if (found) return found;
    }
    throw new Error(`the contracts have no interface ${name}`);
  }

  descriptionOf(named: ts.Declaration & { readonly name?: ts.Node | undefined }): string {
    const symbol = named.name && this.checker.getSymbolAtLocation(named.name);
    return symbol ? plain(ts.displayPartsToString(symbol.getDocumentationComment(this.checker))) : '';
  }

  private eventOf(service: ServiceName, declared: ts.ClassDeclaration): EventSource | undefined {
    const base = declared.heritageClauses?.[0]?.types[0];
    const call = base?.expression;
    if (!base || !call || !ts.isCallExpression(call) || call.expression.getText() !== 'event') return undefined;
    const [name, version] = call.arguments;
    const data = base.typeArguments?.[0];
    if (!name || !ts.isStringLiteral(name) || !data)
      throw new Error(`${declared.name?.text ?? 'an event'} must be declared as event('<type>')<Data>`);
    return {
      service,
      name: name.text,
      version: version ? Number(version.getText()) : 1,
      description: this.descriptionOf(declared),
      data,
    };
  }
}

/** Joins a comment into one paragraph and turns links into code. */
export const plain = (text: string): string =>
  text
    .replace(/\{@link[\s*]+([^}]+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
