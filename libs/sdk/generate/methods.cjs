/**
 * The texts of `operation-table.ts`, a row for each operation, and of `operations.ts`, a class with a method for each.
 */

const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const row = ({ id, httpMethod, template, keyed, open, paged, answers, bodyTypes, hasQuery }) =>
  `  ${quoted(id)}: { method: ${quoted(httpMethod)}, path: ${quoted(template)}, keyed: ${keyed}, open: ${open}, paged: ${paged}, answers: ${quoted(answers)}, body: ${bodyTypes.length > 0}, query: ${hasQuery} },`;

const FORM = 'multipart/form-data';

function signatureOf(operation) {
  const { id, pathParameters, hasQuery, queryRequired, bodyTypes, bodyRequired } = operation;
  const of = quoted(id);
  const body = [
    ...(bodyTypes.includes('application/json') ? [`Body<${of}>`] : []),
    ...(bodyTypes.includes(FORM) ? ['FormData'] : []),
  ].join(' | ');
  return [
    ...pathParameters.map(({ name }) => `${name}: string`),
    ...(bodyTypes.length > 0 ? [`body${bodyRequired ? '' : '?'}: ${body}`] : []),
    ...(hasQuery ? [`query${queryRequired && bodyTypes.length === 0 ? '' : '?'}: Query<${of}>`] : []),
    `options?: ${operation.keyed ? 'WriteOptions' : 'CallOptions'}`,
  ].join(', ');
}

function callOf({ id, pathParameters, hasQuery, bodyTypes, paged }) {
  const path = pathParameters.map(({ wire, name }) => (wire === name ? name : `${quoted(wire)}: ${name}`)).join(', ');
  const parts = [
    ...(pathParameters.length > 0 ? [`path: { ${path} }`] : []),
    ...(bodyTypes.length > 0 ? ['body'] : []),
    ...(hasQuery ? ['query'] : []),
    'options',
  ];
  return `this.${paged ? 'list' : 'send'}(${quoted(id)}, { ${parts.join(', ')} })`;
}

const method = (operation) => {
  const { id, name, summary, deprecated, httpMethod, template, paged, answers } = operation;
  const result = paged ? `Pages<${quoted(id)}>` : `Promise<Answer<${quoted(id)}>>`;
  const returns = { bytes: 'Promise<Blob>', stream: 'Promise<Response>', nothing: 'Promise<void>' }[answers] ?? result;
  return `
  /**
   * ${summary.replaceAll('*/', '* /')}.
   *
   * \`${httpMethod} ${template}\`${deprecated ? '\n   * @deprecated Use the operation of v1.' : ''}
   */
  ${name}(${signatureOf(operation)}): ${returns} {
    return ${callOf(operation)}${answers === 'json' ? '' : ` as ${returns}`};
  }`;
};

const tableOf = (operations) => `
/** How each operation is called. */
export const OPERATIONS = {
${operations.map(row).join('\n')}
} as const;

export type OperationId = keyof typeof OPERATIONS;
`;

const methodsOf = (
  operations,
) => `import type { Answer, Body, CallOptions, Pages, Query, Request, WriteOptions } from '../operation-types';
import type { OperationId } from './operation-table';

/** One method per operation that partners may call; bodies and queries are as they are on the wire. */
export abstract class Operations {
  /** Sends one request and reads its answer. */
  protected abstract send<Id extends OperationId>(id: Id, request: Request<Id>): Promise<Answer<Id>>;

  /** Reads a list, page by page. */
  protected abstract list<Id extends OperationId>(id: Id, request: Request<Id>): Pages<Id>;
${operations.map(method).join('\n')}
}
`;

module.exports = { tableOf, methodsOf };
