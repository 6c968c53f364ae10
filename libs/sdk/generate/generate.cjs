/**
 * Generates the SDK's parts from the API's own documents: the types of `/openapi.json`, one method per partner
 * operation, and the codes of `/api/v1/errors`. Install its packages with `node deploy/build/install-tools.cjs
 * libs/sdk/generate`.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { default: openapiTS, astToString } = require('openapi-typescript');
const ts = require('typescript');
const {
  BANNER,
  errorCodesText,
  eventTypesText,
  operationsText,
  operationTableText,
  partnerDocument,
} = require('./partner.cjs');

const SCALARS = { binary: 'Blob' };

/** What the SDK has types of; the paths and webhooks of the document would say the same things again. */
const TYPES = ['components', 'operations'];

async function typesOf(document) {
  const input = { ...document, paths: withQueriesOnly(document.paths), webhooks: withBodiesOnly(document.webhooks) };
  const nodes = await openapiTS(JSON.stringify(input), {
    alphabetize: true,
    transform: (schema) => {
      const name = SCALARS[schema.format];
      return name === undefined ? undefined : ts.factory.createTypeReferenceNode(name);
    },
  });
  return astToString(nodes.filter(({ name }) => TYPES.includes(name.text)).map(withoutAbsent));
}

/** The methods take what stands in a path as arguments, and the client sets the headers. */
const withQueriesOnly = (paths) =>
  mapValues(paths, (methods) =>
    mapValues(methods, ({ parameters = [], ...operation }) => ({
      ...operation,
      parameters: parameters.filter((parameter) => parameter.in === 'query'),
    })),
  );

/** The headers and the response of a webhook are the same for every type of event, and `verifyWebhook` reads them. */
const withBodiesOnly = (webhooks) =>
  mapValues(webhooks, (methods) =>
    mapValues(methods, (operation) => ({ ...operation, parameters: [], responses: {} })),
  );

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** Members of operations and responses that are left out where they contain nothing. */
const PARTS = ['headers', 'parameters', 'responses'];

/** Leaves out members that only say that an operation or a response has no such part, and the headers of responses. */
function withoutAbsent(declaration) {
  const isAbsent = ({ type, name }) =>
    type?.kind === ts.SyntaxKind.NeverKeyword ||
    (PARTS.includes(name?.text) && ts.isTypeLiteralNode(type) && type.members.every(ts.isIndexSignatureDeclaration));
  const transformer = (context) => (root) => {
    const visit = (node) => {
      const visited = ts.visitEachChild(node, visit, context);
      return isAbsent(visited) ? undefined : visited;
    };
    return visit(root);
  };
  return ts.transform(declaration, [transformer]).transformed[0];
}

/**
 * @param {object} document as served at `/openapi.json`
 * @param {{ code: string }[]} errors as served at `/api/v1/errors`
 * @returns {Promise<Record<string, string>>} the text of each file of `src/generated`
 */
async function generate(document, errors) {
  const partner = partnerDocument(document);
  return {
    'schema.ts': `${BANNER}${await typesOf(partner)}`,
    'operation-table.ts': operationTableText(partner),
    'operations.ts': operationsText(partner),
    'error-codes.ts': errorCodesText(errors),
    'event-types.ts': eventTypesText(partner),
  };
}

module.exports = { generate };

// node libs/sdk/generate/generate.cjs <folder> <file with { "document": …, "errors": … }>
if (require.main === module) {
  const { document, errors } = JSON.parse(readFileSync(process.argv[3], 'utf8'));
  generate(document, errors).then((files) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(process.argv[2], name), text);
  });
}
