/** Describes the operations of the document as the generated methods need it. */

const METHODS = ['get', 'post', 'patch', 'put', 'delete'];
const JSON_TYPE = 'application/json';
const EVENT_STREAM = 'text/event-stream';

const camel = (name) => name.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());

const isStaff = (path, { security = [] }) =>
  path.startsWith('/staff') ||
  (security.length > 0 && security.every((one) => 'staff' in one || 'staff-session' in one));

/** Sorted by id, so that a moved route changes nothing. */
function partnerOperations({ paths }) {
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
    )
    .filter(({ path, operation }) => !isStaff(path, operation))
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1))
    .map((one) => ({ ...one, ...described(one) }));
}

function described({ path, method, operation }) {
  const { operationId, parameters = [], requestBody, responses, security = [], deprecated = false } = operation;
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = success.flatMap(([, { content = {} }]) => Object.keys(content));
  const query = parameters.filter((one) => one.in === 'query');
  return {
    id: operationId,
    name: camel(operationId),
    summary: operation.summary,
    deprecated,
    httpMethod: method.toUpperCase(),
    template: path,
    pathParameters: parameters
      .filter((one) => one.in === 'path')
      .map(({ name }) => ({ wire: name, name: camel(name) })),
    hasQuery: query.length > 0,
    queryRequired: query.some((one) => one.required),
    paged: query.some((one) => one.name === 'cursor'),
    bodyTypes: Object.keys(requestBody?.content ?? {}),
    bodyRequired: requestBody?.required === true,
    keyed: parameters.some((one) => one.in === 'header' && one.name === 'Idempotency-Key'),
    open: security.length === 0,
    answers: answersOf(types),
    path,
    method,
  };
}

/** The type that a method's promise resolves to. */
function answersOf(types) {
  if (types.includes(JSON_TYPE)) return 'json';
  if (types.length === 0) return 'nothing';
  return types.every((type) => type === EVENT_STREAM) ? 'stream' : 'bytes';
}

module.exports = { partnerOperations, camel };
