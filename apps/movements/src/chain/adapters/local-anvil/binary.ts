/** The npm packages that contain the anvil binary, by platform and architecture. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@foundry-rs/anvil-linux-amd64',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64',
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64',
  'win32-x64': '@foundry-rs/anvil-win32-amd64',
};

/** Path of the anvil binary. The package's wrapper would put a Node process between us and anvil's signals. */
export function anvilBinary(platform = `${process.platform}-${process.arch}`): string {
  const name = PACKAGES[platform];
  if (name === undefined)
    throw new Error(`there is no anvil for ${platform}: set the JSON-RPC endpoints of a chain instead`);
  try {
    return require.resolve(`${name}/bin/anvil${platform.startsWith('win32') ? '.exe' : ''}`);
  } catch {
    throw new Error(
      `${name} is not installed: run npm ci with development and optional dependencies (on Linux it needs glibc)`,
    );
  }
}
