// Writes the Postman collection of an OpenAPI document: node collection.cjs <document> <collection>. Without responses,
// and without ids that change.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { TOOLS } = require('./install.cjs');
const { convertV2 } = require(join(TOOLS, 'node_modules/openapi-to-postmanv2'));

const [input, output] = process.argv.slice(2);
const OPTIONS = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  includeDeprecated: false,
  alwaysInheritAuthentication: true,
};

/** Example responses are in the reference. Ids are random; a collection is found by its name. */
const withoutIds = (value, key) => {
  if (Array.isArray(value)) return value.map((one) => withoutIds(one, key));
  if (value === null || typeof value !== 'object') return value;
  const isPart =
    'request' in value || 'item' in value || 'schema' in value || 'originalRequest' in value || 'key' in value;
  const entries = Object.entries(value).filter(
    ([name]) => name !== 'response' && !(isPart && (name === 'id' || name === '_postman_id')),
  );
  // Filters that the document has no example of would be invented, other ones each time.
  const isFilter = key === 'query';
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, isFilter && name === 'value' ? '' : withoutIds(inner, name)]),
  );
};

/** Postman makes a key for each request that it sends. The generator would invent one, another each time. */
const withOwnKeys = (value) => {
  if (Array.isArray(value)) return value.map(withOwnKeys);
  if (value === null || typeof value !== 'object') return value;
  if (value.key === 'Idempotency-Key') return { ...value, value: '{{$guid}}' };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withOwnKeys(inner)]));
};

convertV2(
  { type: 'string', data: readFileSync(input, 'utf8') },
  OPTIONS,
  (error, { result, reason, output: [made] = [] }) => {
    if (error || !result) throw error ?? new Error(reason);
    const { variable = [], ...collection } = withOwnKeys(withoutIds(made.data));
    const auth = { type: 'bearer', bearer: [{ key: 'token', value: '{{sandboxKey}}', type: 'string' }] };
    const variables = [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000', type: 'string' },
      { key: 'sandboxKey', value: '', type: 'string' },
      ...variable.filter(({ key }) => key !== 'baseUrl'),
    ];
    writeFileSync(output, `${JSON.stringify({ ...collection, auth, variable: variables }, null, 1)}\n`);
  },
);
