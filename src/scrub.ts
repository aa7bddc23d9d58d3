/** Of the API, whole or mistyped: a wrong one may be a letter away from a right one. */
const tokens = /(pa[ks])(?:_|%(?:25)*5f)[0-9a-z]{5,}/gi
/** The password in the address of a database or a mail server. */
const passwords = /(:\/\/[^\s:@/"]{0,256}:)[^\s/?#"']{1,256}@/g
/** Sessions, invitations, and links to reset a password. */
const links = /(token=|invitation\/|reset-password:)[\w%.~+=-]{8,}/g

const any = new RegExp([tokens, passwords, links].map(({ source }) => source).join('|'), 'i')

/** No secret reaches a log or an error, wherever in a text it is and however it was encoded. */
export const scrub = (text: string): string =>
  // Most texts have none, and one look tells that.
  any.test(text) ? text.replace(tokens, '$1_…').replace(passwords, '$1…@').replace(links, '$1…') : text
