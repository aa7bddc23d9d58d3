import { writeFileSync } from 'node:fs'

// Loaded before the program, to tell at its end which modules it has loaded.
process.on('exit', () => {
  const { LOADED_MODULES } = process.env
  if (LOADED_MODULES) writeFileSync(LOADED_MODULES, JSON.stringify(Object.keys(require.cache)))
})
