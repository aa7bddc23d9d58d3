import { createHash } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { pruneCss } from './prune-css.ts'

/** Bundles the settings app into dist/web, compressed, with a content hash in each file name. */
const root = fileURLToPath(new URL('..', import.meta.url))
const source = `${root}src/web`
const target = `${root}dist/web`
/** They keep their names besides a hash. */
const assets = ['icon.svg', 'fonts/inter-latin.woff2', 'fonts/jetbrains-mono-latin.woff2']
const startedAt = performance.now()

const wanted = await stampOf()
if ((await readIfThere(`${target}/stamp`)) !== wanted) await build()

async function build(): Promise<void> {
  const made = `${target}.${process.pid}`
  const files = await bundle()
  const page = await pageOf(files.map(({ name }) => name))
  await mkdir(`${made}/assets`, { recursive: true })
  await Promise.all(files.map(({ name, bytes }) => writeCompressed(`${made}/assets/${name}`, bytes)))
  await Bun.write(`${made}/index.html`, page)
  await Bun.write(`${made}/stamp`, wanted)
  // A server that starts at the same time must not see a mixture of old and new files.
  await rm(target, { recursive: true, force: true })
  await rename(made, target)
  console.error(await report(files, page))
}

interface BuiltFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

async function bundle(): Promise<readonly BuiltFile[]> {
  const common = {
    target: 'browser',
    minify: true,
    naming: '[name]-[hash].[ext]',
    publicPath: '/assets/',
    // The bundler would put them into the style sheet, which the policy of the page forbids.
    external: ['*.woff2'] as string[],
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: { runtime: 'automatic', development: false },
  } as const
  const built = await Promise.all([
    Bun.build({ ...common, entrypoints: [`${source}/main.tsx`], splitting: true }),
    // It must run before everything else, so it cannot be a module.
    Bun.build({ ...common, entrypoints: [`${source}/first-paint.ts`], format: 'iife' }),
    // Of the page at /docs, which is HTML without it.
    Bun.build({ ...common, entrypoints: [`${source}/api-reference/api-reference.ts`] }),
  ])
  const found = await Promise.all(assets.map(assetOf))
  const files = await Promise.all(
    built
      .flatMap(({ outputs }) => outputs)
      .map(async (output) => ({
        name: basename(output.path),
        bytes: new Uint8Array(await output.arrayBuffer()),
      })),
  )
  return [...found, ...withoutUnusedRules(withFonts(files, found))]
}

/** `fonts/inter-latin.woff2` → `inter-latin-2a8f.woff2` */
async function assetOf(path: string): Promise<BuiltFile> {
  const bytes = await Bun.file(`${source}/${path}`).bytes()
  return { name: basename(path).replace('.', `-${Bun.hash(bytes).toString(36)}.`), bytes }
}

/** Style sheets with the file names of the fonts: `./inter-latin.woff2` → `/assets/inter-latin-2a8f.woff2` */
function withFonts(files: readonly BuiltFile[], found: readonly BuiltFile[]): readonly BuiltFile[] {
  return files.map((file) => {
    if (!file.name.endsWith('.css')) return file
    const text = new TextDecoder().decode(file.bytes).replace(/[^"'(]*?([a-z-]+)\.woff2/g, (_, stem) => {
      const name = found.find((one) => one.name.startsWith(`${stem}-`))?.name
      if (!name) throw new Error(`There is no font ${stem}.woff2, which ${file.name} needs.`)
      return `/assets/${name}`
    })
    return { ...file, bytes: new TextEncoder().encode(text) }
  })
}

/** The style sheets have rules for every component there is; most of them are never on a page. */
function withoutUnusedRules(files: readonly BuiltFile[]): readonly BuiltFile[] {
  const textOf = ({ bytes }: BuiltFile) => new TextDecoder().decode(bytes)
  const scripts = files
    .filter(({ name }) => name.endsWith('.js'))
    .map(textOf)
    .join('')
  return files.map((file) => {
    if (!file.name.endsWith('.css')) return file
    const bytes = new TextEncoder().encode(pruneCss(textOf(file), scripts))
    return { name: file.name.replace(/-[^-]+$/, `-${Bun.hash(bytes).toString(36)}.css`), bytes }
  })
}

/** The page with the file names of this build: `{main.js}` → `/assets/main-2a8f.js` */
async function pageOf(names: readonly string[]): Promise<string> {
  const template = await Bun.file(`${source}/index.html`).text()
  return template.replace(/\{([a-z-]+)\.([a-z0-9]+)\}/g, (_, stem, ending) => {
    const name = names.find((one) => one.startsWith(`${stem}-`) && one.endsWith(`.${ending}`))
    if (!name) throw new Error(`The build made no ${stem}.${ending}, which index.html needs.`)
    return `/assets/${name}`
  })
}

async function writeCompressed(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, quality),
  ])
  await Promise.all([Bun.write(path, bytes), Bun.write(`${path}.gz`, zipped), Bun.write(`${path}.br`, brotli)])
}

async function report(files: readonly BuiltFile[], page: string): Promise<string> {
  const first = files.filter(({ name }) => page.includes(name))
  const sizes = await Promise.all(first.map(({ bytes }) => promisify(gzip)(bytes, { level: 9 })))
  const kilobytes = Math.round(sizes.reduce((sum, { length }) => sum + length, 0) / 1024)
  const ms = Math.round(performance.now() - startedAt)
  return `Built the settings app in ${ms} ms: ${kilobytes} KB (gzip) on the first load.`
}

/** A hash of all inputs of the build. */
async function stampOf(): Promise<string> {
  const hash = createHash('sha256')
  const paths = [...new Bun.Glob('**/*').scanSync(source)].map((path) => `src/web/${path.replaceAll(sep, '/')}`).sort()
  for (const path of [...paths, 'package-lock.json', 'scripts/build-web.ts', 'scripts/prune-css.ts']) {
    hash.update(`${path}\0`).update(await Bun.file(root + path).bytes())
  }
  return hash.digest('hex')
}

async function readIfThere(path: string): Promise<string> {
  return Bun.file(path)
    .text()
    .catch(() => '')
}
