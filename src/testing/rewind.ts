import type { PGlite } from '@electric-sql/pglite'

/** What Emscripten, on which PGlite runs, keeps of a file or folder. `contents` has the nodes of a folder by name. */
interface FileNode {
  contents?: Uint8Array | Record<string, FileNode>
  usedBytes?: number
  name_next?: FileNode
}

interface OpenFile {
  fd: number
  shared: object
}

interface Files {
  nameTable: (FileNode | undefined)[]
  streams: (OpenFile | null | undefined)[]
}

interface Engine {
  HEAPU8: Uint8Array
  FS: Files
  stackSave(): number
}

const PAGE = 64 * 1024
const EMPTY_PAGE = Buffer.alloc(PAGE)
const MAX_MEMORY = 384 * 1024 * 1024

/**
 * Remembers the whole state of an idle embedded database: the memory of PostgreSQL, sessions included, and its files.
 * @returns a function that restores this state, which is much faster than opening another database. It returns whether
 *   it could; if not, the database cannot be used any more.
 */
export async function rewindable(pglite: PGlite): Promise<() => Promise<boolean>> {
  const engine = pglite.Module as unknown as Engine
  const modules = await loadedModules(pglite)
  const stack = engine.stackSave()
  const restoreTypes = rememberTypes(pglite)
  const restoreFiles = rememberFiles(engine.FS)
  const restoreMemory = rememberMemory(engine)
  return async () => {
    const isUnusual =
      // A library loaded since has memory that the image does not know.
      (await loadedModules(pglite).catch(() => '')) !== modules ||
      engine.stackSave() !== stack ||
      engine.HEAPU8.length > MAX_MEMORY
    if (isUnusual) return false
    restoreMemory()
    restoreFiles()
    restoreTypes()
    return true
  }
}

async function loadedModules(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query('select file_name from pg_get_loaded_modules() order by 1')
  return JSON.stringify(rows)
}

function rememberTypes(pglite: PGlite): () => void {
  const { parsers, serializers } = pglite
  const previous = { parsers: { ...parsers }, serializers: { ...serializers } }
  return () => {
    pglite.parsers = { ...previous.parsers }
    pglite.serializers = { ...previous.serializers }
  }
}

const view = (memory: Uint8Array, from = 0, to = memory.length) =>
  Buffer.from(memory.buffer, memory.byteOffset + from, to - from)

function rememberMemory(engine: Engine): () => void {
  const pages = pagesOf(engine.HEAPU8).map((page) =>
    page.equals(EMPTY_PAGE) ? EMPTY_PAGE : Buffer.from(page),
  )
  return () => {
    for (const [index, page] of pagesOf(engine.HEAPU8).entries()) {
      const previous = pages[index] ?? EMPTY_PAGE
      if (!page.equals(previous)) page.set(previous)
    }
  }
}

const pagesOf = (memory: Uint8Array) =>
  Array.from({ length: memory.length / PAGE }, (_, index) => view(memory, index * PAGE, (index + 1) * PAGE))

/** Remembers all files and which are open. A file that has been deleted or replaced since comes back as it was. */
function rememberFiles(files: Files): () => void {
  const { nameTable, streams } = files
  const names = [...nameTable]
  const open = [...streams]
  const restoreNodes = names.flatMap(chained).map(rememberNode)
  const restoreOpen = open.filter((file) => file != null).map(rememberOpenFile)
  return () => {
    for (const restore of [...restoreNodes, ...restoreOpen]) restore()
    files.nameTable = [...names]
    files.streams = [...open]
  }
}

/** The nodes with the same hash. */
function chained(node: FileNode | undefined): FileNode[] {
  return node ? [node, ...chained(node.name_next)] : []
}

function rememberNode(node: FileNode): () => void {
  const { contents } = node
  const previous = { ...node }
  if (!(contents instanceof Uint8Array)) {
    const children = contents && { ...contents }
    return () => Object.assign(node, previous, children && { contents: { ...children } })
  }
  const bytes = Buffer.from(contents.subarray(0, node.usedBytes))
  return () => {
    const { contents: now, usedBytes } = node
    const isSame =
      now instanceof Uint8Array && usedBytes === bytes.length && view(now, 0, usedBytes).equals(bytes)
    Object.assign(node, previous, { contents: isSame ? now : new Uint8Array(bytes) })
  }
}

function rememberOpenFile(file: OpenFile): () => void {
  const previous = { ...file }
  const shared = { ...file.shared }
  return () => {
    Object.assign(file, previous)
    Object.assign(file.shared, shared)
  }
}
