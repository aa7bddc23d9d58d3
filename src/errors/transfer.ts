import { define, type Failures } from './define.ts'

/** Rows that are imported from a file. */
export const transfer = {
  nameUnknown: define(409, 'name_unknown', (one: string, name: string) => ({
    message: `There is no ${one} named "${name}"`,
    hint: `Create it first, or write the id of a ${one}.`,
  })).inSettings('bid', 'Harbour bridge'),
  nameAmbiguous: define(409, 'name_ambiguous', (one: string, name: string) => ({
    message: `There is more than one ${one} named "${name}"`,
    hint: `Write the id of the ${one} that is meant.`,
  })).inSettings('bid', 'Harbour bridge'),
} satisfies Failures
