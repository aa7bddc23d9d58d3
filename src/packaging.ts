import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What differs between the program as sources and as an executable. The executable has the built files inside, and
 * another module with the same exports in the place of this one: scripts/build.ts writes it.
 */
const folder = fileURLToPath(new URL('../dist/web', import.meta.url))

/** How people call the program, and how it calls itself. */
export const program = 'npm run -s cli --'
export const ownCommand: readonly string[] = [process.execPath, fileURLToPath(new URL('./main.ts', import.meta.url))]

/** Of the settings app: `index.html`, `assets/main-2a8f.js`, …; none where nothing is built yet. */
export const builtNames = (): string[] =>
  builtFile('index.html').size === 0
    ? []
    : [...new Bun.Glob('**/*').scanSync(folder)].map((name) => name.replaceAll(sep, '/'))

export const builtFile = (name: string): Blob => Bun.file(`${folder}/${name}`)
