// Writes the Postman collection of an OpenAPI document, without responses and without random ids: node collection.cjs
// <document> <collection>
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

/**
 * Removes example responses, which are in the reference, and ids, which are random; a collection is found by its name.
 */
const withoutIds = (value, key) => {
  if (Array.isArray(value)) return value.map((one) => withoutIds(one, key));
  if (value === null || typeof value !== 'object') return value;
  const isPart =
    'request' in value || 'item' in value || 'schema' in value || 'originalRequest' in value || 'key' in value;
  const entries = Object.entries(value).filter(
    ([name]) => name !== 'response' && !(isPart && (name === 'id' || name === '_postman_id')),
  );
  // The generator invents a different value each time for a filter without an example.
  const isFilter = key === 'query';
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, isFilter && name === 'value' ? '' : withoutIds(inner, name)]),
  );
};

const isRequired = ({ description }) => String(description?.content ?? '').startsWith('(Required)');

/** What the generator cannot know of one parameter. */
const usable = (value, isFilter) => {
  // Postman makes a key for each request; the generator would invent a different one each time.
  if (value.key === 'Idempotency-Key') return { ...value, value: '{{$guid}}' };
  if (value.key === 'Prefer') return { ...value, value: 'dry-run', disabled: true };
  if (value.key === 'account-id') return { ...value, value: '{{accountId}}' };
  // An empty parameter is refused, so optional ones are switched off until someone fills them in.
  return isFilter && !isRequired(value) ? { ...value, disabled: true } : value;
};

/** Makes each request one that can be sent as it is. */
const withUsableParameters = (value, key) => {
  if (Array.isArray(value)) return value.map((one) => withUsableParameters(one, key));
  if (value === null || typeof value !== 'object') return value;
  const parts = Object.entries(usable(value, key === 'query'));
  return Object.fromEntries(parts.map(([name, inner]) => [name, withUsableParameters(inner, name)]));
};

convertV2(
  { type: 'string', data: readFileSync(input, 'utf8') },
  OPTIONS,
  (error, { result, reason, output: [made] = [] }) => {
    if (error || !result) throw error ?? new Error(reason);
    const { variable = [], ...collection } = withUsableParameters(withoutIds(made.data));
    const auth = { type: 'bearer', bearer: [{ key: 'token', value: '{{sandboxKey}}', type: 'string' }] };
    const variables = [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000', type: 'string' },
      { key: 'sandboxKey', value: '', type: 'string' },
      { key: 'accountId', value: '', type: 'string' },
      ...variable.filter(({ key }) => key !== 'baseUrl'),
    ];
    writeFileSync(output, `${JSON.stringify({ ...collection, auth, variable: variables }, null, 1)}\n`);
  },
);
