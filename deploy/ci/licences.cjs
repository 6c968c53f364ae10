// Checks the licences of the components of a CycloneDX document.
const satisfies = require('spdx-satisfies');

/** Licences that let us ship a package without publishing our own source. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'];

/** The SPDX expression of a component, null when it states none. */
function licenceOf({ licenses = [] }) {
  const named = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).filter(Boolean);
  return named.length === 0 ? null : named.map((one) => (named.length > 1 ? `(${one})` : one)).join(' AND ');
}

function isAllowed(licence) {
  try {
    return satisfies(licence, ALLOWED);
  } catch {
    return false;
  }
}

/** One line for each component whose licence is missing, not an SPDX expression, or not allowed. */
const licenceFaults = (components) =>
  components
    .filter((component) => !isAllowed(licenceOf(component)))
    .map((one) => `${one.name}@${one.version}: ${licenceOf(one) ?? 'no licence'} is not one of ${ALLOWED.join(', ')}`);

module.exports = { licenceFaults, licenceOf };
