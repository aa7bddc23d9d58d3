/** The same token with another last character. */
export const mistyped = (token: string): string => token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
