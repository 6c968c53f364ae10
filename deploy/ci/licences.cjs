// Checks the licences of the components of a CycloneDX document.
const satisfies = require('spdx-satisfies');

/** Licences that let us ship a package without publishing our own source. */
const ALLOWED = '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT Unlicense'.split(' ');
/** Licences that only a file of the package states. Verify the file before adding a version. */
const IN_A_FILE = { 'khroma@2.1.0': 'MIT' };

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

/**
 * The packages of a lock file as components. `npm sbom` refuses a lock file with an alias for a package, as that of the
 * guides has.
 */
const componentsIn = ({ packages }) =>
  Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .map(([path, { name = path.split('node_modules/').pop(), version, license }]) => {
      const licence = license ?? IN_A_FILE[`${name}@${version}`];
      return {
        type: 'library',
        'bom-ref': path,
        name,
        version,
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
        licenses: licence === undefined ? [] : [{ expression: licence }],
      };
    });

module.exports = { componentsIn, licenceFaults, licenceOf };
