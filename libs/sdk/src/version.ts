/** The version of this package, which its requests name in `User-Agent`. */
export const VERSION = '0.1.0';
