const PLAIN = /^[A-Za-z_$][\w$-]{0,63}$/;

/**
 * The name of a member no one knows, for the path of its fault: as it is when programmers write such names, `?` for any
 * other, which may be someone's e-mail address or tax id.
 */
export const shownName = (name: string): string => (PLAIN.test(name) ? name : '?');
