const PLAIN = /^[A-Za-z_$][\w$-]{0,63}$/;

/**
 * The name of an unknown field for the path of its violation: unchanged if it looks like an identifier, otherwise `?`,
 * because it may be an e-mail address or a tax id.
 */
export const shownName = (name: string): string => (PLAIN.test(name) ? name : '?');
