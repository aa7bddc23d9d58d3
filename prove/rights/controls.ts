import type { Control } from '../proof.ts'

/** The guards that ask for a right again when the body has arrived, each broken on purpose. */
export const controls: readonly Control[] = [
  {
    breaks: 'the right of a person is not looked at after the body has arrived',
    notices: 'done after the right had ended',
    file: 'src/settings/open-context.ts',
    text: `  const confirm = async () => need && (await confirmRight(db, need))
  return {
    ...{ http, params: asked.params, exchange, from: asked.from, site, people: asked.people },
    ...session,
    db: need ? guarded(db, need) : db,`,
    instead: `  const confirm = async () => null
  return {
    ...{ http, params: asked.params, exchange, from: asked.from, site, people: asked.people },
    ...session,
    db,`,
  },
  {
    breaks: 'the right of a credential is not looked at after the body has arrived',
    notices: 'done after the right had ended',
    file: 'src/rest/stages.ts',
    text: '(hasBody(call.method) ? call.right?.() : undefined)',
    instead: 'undefined',
  },
]
