import { hasRole, maySeeCases } from '../session/session.js';
import { el } from './dom.js';
import { shortId } from './words.js';

/**
 * The page of an account that the user may open: operators see the account's wallets, because the account's page is for
 * compliance and audit. @param {string} id
 */
export const accountPath = (id) => `/console/accounts/${id}${!maySeeCases() && hasRole('operator') ? '/wallets' : ''}`;

/** A link to the page of an account, which shows the short form of its id. @param {string} id */
export const accountLink = (id) => el('a', { class: 'mono', href: accountPath(id) }, shortId(id));
