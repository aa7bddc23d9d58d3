let typed = ''

/** The address that was typed last, so that nobody has to type it again on the next page. It is in no address of a page. */
export const typedEmail = (): string => typed

export function rememberEmail(email: string): void {
  typed = email
}
