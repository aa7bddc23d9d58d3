/** API keys and secrets, even wrong ones: a typo may be one character away from the real one. */
const tokens = /(pa[ks])(?:_|%(?:25)*5f)[0-9a-z]{5,}/gi
/** The password in the URL of a database or a mail server. */
const passwords = /(:\/\/[^\s:@/"]{0,256}:)[^\s/?#"']{1,256}@/g
/** Sessions, invitations and password reset links. */
const links = /(token=|invitation\/|reset-password:)[\w%.~+=-]{8,}/g

const anySecret = new RegExp([tokens, passwords, links].map(({ source }) => source).join('|'), 'i')

/** Removes secrets from a text for a log or an error message. */
export const scrub = (text: string): string =>
  // Most texts contain no secret, and one test is faster than three replacements.
  anySecret.test(text) ? text.replace(tokens, '$1_…').replace(passwords, '$1…@').replace(links, '$1…') : text
