/** Builds the web app into `web/dist`. With `--if-needed`, only when the sources have changed. */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = path.resolve(import.meta.dirname, '..')
const dist = path.join(import.meta.dirname, 'dist')
const SOURCES = [
  'web/{index.html,*.ts,{src,public}/**/*.*}',
  'src/{client,features,platform}/**/*.ts',
  'package-lock.json',
]
/** The file that holds the hash of the sources of a build. */
const HASH_FILE = 'sources'

const { values } = parseArgs({ options: { 'if-needed': { type: 'boolean', default: false } } })
const sources = await hashOfSources()
const built = await readFile(path.join(dist, HASH_FILE), 'utf8').catch(() => undefined)
if (!values['if-needed']) await build()
else if (built !== sources) await buildIfViteIsInstalled()

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  const files = globSync(SOURCES, { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(path.join(root, file)))
  return hash.digest('hex')
}

/** Without Vite, the service uses the last build, or explains at / how to make one. */
async function buildIfViteIsInstalled(): Promise<void> {
  try {
    import.meta.resolve('vite')
  } catch {
    return console.error('Not building the web app: the development dependencies are missing. Run npm ci.')
  }
  await build()
}

/** Builds in a separate folder and then renames it, so that a running service never serves half a build. */
async function build(): Promise<void> {
  console.error('Building the web app…')
  const vite = await import('vite')
  const building = path.join(import.meta.dirname, `.building-${process.pid}`)
  const previous = `${building}-previous`
  try {
    await vite.build({
      configFile: path.join(import.meta.dirname, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: building, chunkSizeWarningLimit: 1000 },
    })
    await compress(building)
    await writeFile(path.join(building, HASH_FILE), sources)
    // Deleting the previous build first would leave a moment without pages.
    await rename(dist, previous).catch(ignoreErrors('ENOENT'))
    // Two services that start at the same time produce the same build.
    await rename(building, dist).catch(ignoreErrors('ENOTEMPTY', 'EEXIST'))
  } finally {
    for (const folder of [building, previous]) await rm(folder, { recursive: true, force: true })
  }
}

function ignoreErrors(...codes: string[]) {
  return (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}

async function compress(folder: string): Promise<void> {
  const files = globSync('**/*.{js,mjs,css,svg,html,wasm}', { cwd: folder })
  await Promise.all(
    files.map(async (file) => {
      const name = path.join(folder, file)
      const content = await readFile(name)
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
      await writeFile(`${name}.br`, await promisify(brotliCompress)(content, quality))
      await writeFile(`${name}.gz`, await promisify(gzip)(content, { level: 9 }))
    }),
  )
}
