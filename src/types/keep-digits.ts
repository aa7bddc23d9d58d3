/** For `JSON.parse`: numbers stay as they are written, because JavaScript would lose digits of some. */
export const keepDigits: Parameters<JSON['parse']>[1] = (_, value, { source }) =>
  typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value
