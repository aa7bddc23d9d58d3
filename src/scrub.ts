/** No token reaches a log or an error, whole or mistyped: a wrong one may be a letter away from a right one. */
export const scrub = (text: string): string => text.replace(/\bpa([ks])_[0-9A-Za-z]{5,}/g, 'pa$1_…')
