import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'yaml'
import type { Client } from '#src/client/client.ts'
import { InputError } from './input-error.ts'

const FRONT_MATTER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/
const FIELDS = ['code', 'title', 'summary', 'status'] as const

interface ThesisFile {
  code: string
  title: string
  summary?: string | null
  status?: string
  report_markdown: string
}

/**
 * `import-theses`: creates a thesis from each Markdown file in a folder, or updates the thesis with the same code. Returns
 * the exit status.
 */
export async function importThesesCommand(client: Client, folder: string): Promise<number> {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const thesis of await readTheses(folder)) counts[await importThesis(client, thesis)] += 1
  console.log(
    `Imported theses: ${counts.created} created, ${counts.updated} updated, ${counts.unchanged} unchanged.`,
  )
  return 0
}

/**
 * Reads the theses from all Markdown files in a folder.
 * @throws InputError naming the file whose front matter is wrong
 */
export async function readTheses(folder: string): Promise<ThesisFile[]> {
  const names = (await readdir(folder)).filter((name) => /\.(md|markdown)$/i.test(name)).sort()
  if (names.length === 0) throw new InputError(`${folder} has no Markdown files.`)
  const theses = await Promise.all(names.map(async (name) => readThesis(name, await readText(folder, name))))
  const codes = theses.map(({ code }) => code)
  const repeated = codes.find((code, index) => codes.indexOf(code) !== index)
  if (repeated) throw new InputError(`Two files have the code ${repeated}.`)
  return theses
}

async function readText(folder: string, name: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path.join(folder, name)))
  } catch (error) {
    if (error instanceof TypeError) throw new InputError(`${name} is not UTF-8.`)
    throw error
  }
}

function readThesis(name: string, text: string): ThesisFile {
  const [, frontMatter, report_markdown] = FRONT_MATTER.exec(text) ?? []
  if (frontMatter === undefined || report_markdown === undefined)
    throw new InputError(`${name} must begin with front matter between two lines of ---.`)
  const fields = readYaml(name, frontMatter)
  const unknown = Object.keys(fields).filter((field) => !(FIELDS as readonly string[]).includes(field))
  if (unknown.length > 0)
    throw new InputError(
      `${name}: ${unknown.join(', ')} is not a known field. Known fields: ${FIELDS.join(', ')}.`,
    )
  for (const field of ['code', 'title'])
    if (typeof fields[field] !== 'string') throw new InputError(`${name}: ${field} must be text.`)
  return { ...fields, report_markdown: report_markdown.trim() } as ThesisFile
}

function readYaml(name: string, text: string): Record<string, unknown> {
  try {
    const fields = parse(text)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields
  } catch (error) {
    throw new InputError(`${name}: the front matter is not valid YAML: ${(error as Error).message}`)
  }
  throw new InputError(`${name}: the front matter must have lines such as code: AI-HEALTH.`)
}

/** Creates the thesis, or updates the thesis with the same code. */
export async function importThesis(
  client: Client,
  thesis: ThesisFile,
): Promise<'created' | 'updated' | 'unchanged'> {
  const { data } = await client.listTheses({ querystring: { code: thesis.code } })
  const [known] = data
  if (!known) {
    await client.createThesis({ body: thesis })
    return 'created'
  }
  const { data: updated } = await client.updateThesis({ params: { id: known.id }, body: thesis })
  return updated.updated_at === known.updated_at ? 'unchanged' : 'updated'
}
